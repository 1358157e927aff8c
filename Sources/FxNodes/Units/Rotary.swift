// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// A cabinet in which a horn and a drum turn before two microphones.
public struct Rotary: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - fast: Tremolo rather than chorale: the rotors take their time to get there. (default
  ///     false)
  ///   - slowRate: Turns a second of the horn in chorale; the drum has 9/10 of them. (0…3 Hz;
  ///     default 0.8)
  ///   - fastRate: Turns a second of the horn in tremolo; the drum has 9/10 of them. (0…12 Hz;
  ///     default 6.7)
  ///   - ramp: The factor of the time for 86 % of a change of speed: 1 s the horn, 4 s the drum.
  ///     (0.05…10; default 1)
  ///   - distance: Of the microphones from the axis, in metres. (0.3…3; default 0.6)
  ///   - drum: The level of the drum. (-24…12 dB; default 0)
  ///   - angle: Between the microphones, in degrees. (0…180°; default 110)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    fast: Bool? = nil,
    slowRate: Frequency? = nil,
    fastRate: Frequency? = nil,
    ramp: Double? = nil,
    distance: Double? = nil,
    drum: Level? = nil,
    angle: Degrees? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("rotary", id, fileID, line)
    node.setOption("preset", preset)
    node.set("fast", fast)
    node.set("slowRate", slowRate)
    node.set("fastRate", fastRate)
    node.set("ramp", ramp)
    node.set("distance", distance)
    node.set("drum", drum)
    node.setOption("angle", angle)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// Tremolo rather than chorale: the rotors take their time to get there. (default false)
  public var fast: ParameterReference<Bool> { reference("fast") }

  /// Turns a second of the horn in chorale; the drum has 9/10 of them. (0…3 Hz; default 0.8)
  public var slowRate: ParameterReference<Frequency> { reference("slowRate") }

  /// Turns a second of the horn in tremolo; the drum has 9/10 of them. (0…12 Hz; default 6.7)
  public var fastRate: ParameterReference<Frequency> { reference("fastRate") }

  /// The factor of the time for 86 % of a change of speed: 1 s the horn, 4 s the drum. (0.05…10;
  /// default 1)
  public var ramp: ParameterReference<Double> { reference("ramp") }

  /// Of the microphones from the axis, in metres. (0.3…3; default 0.6)
  public var distance: ParameterReference<Double> { reference("distance") }

  /// The level of the drum. (-24…12 dB; default 0)
  public var drum: ParameterReference<Level> { reference("drum") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Slow.
    case chorale
    /// Fast.
    case tremolo
  }
}
