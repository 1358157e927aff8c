// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Adds harmonics to the treble.
public struct Exciter: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - frequency: The frequency above which harmonics are added. (500…12000 Hz; default 3000)
  ///   - drive: The gain of the treble before the distortion. (0…36 dB; default 12)
  ///   - amount: The level of the added harmonics. (-inf…6 dB; default -12)
  ///   - harmonics: Even and odd ones, or odd ones alone. (default all)
  ///   - oversampling: The oversampling of the curve; more leaves less aliasing. (default 8x)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    frequency: Frequency? = nil,
    drive: Level? = nil,
    amount: Level? = nil,
    harmonics: Harmonics? = nil,
    oversampling: Oversampling? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("exciter", id, fileID, line)
    node.setOption("preset", preset)
    node.set("frequency", frequency)
    node.set("drive", drive)
    node.set("amount", amount)
    node.setOption("harmonics", harmonics)
    node.setOption("oversampling", oversampling)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The frequency above which harmonics are added. (500…12000 Hz; default 3000)
  public var frequency: ParameterReference<Frequency> { reference("frequency") }

  /// The gain of the treble before the distortion. (0…36 dB; default 12)
  public var drive: ParameterReference<Level> { reference("drive") }

  /// The level of the added harmonics. (-inf…6 dB; default -12)
  public var amount: ParameterReference<Level> { reference("amount") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Even and odd ones, or odd ones alone.
  public enum Harmonics: String, ParameterChoice {
    case all
    case odd
  }

  /// The oversampling of the curve; more leaves less aliasing.
  public enum Oversampling: String, ParameterChoice {
    case off
    case twofold = "2x"
    case fourfold = "4x"
    case eightfold = "8x"
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// For a voice or a mix.
    case air
    /// For a dull recording.
    case presence
  }
}
