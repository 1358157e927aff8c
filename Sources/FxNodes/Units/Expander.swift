// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Turns down what is quieter than a threshold, the more the quieter it is.
public struct Expander: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - threshold: The level below which the signal is turned down. (-80…0 dB; default -40)
  ///   - ratio: How many decibels a level falls for each one that it lies below the threshold.
  ///     (1…20; default 2)
  ///   - knee: How wide the bend around the threshold is. (0…24 dB; default 6)
  ///   - range: The largest reduction. (0…96 dB; default 24)
  ///   - attack: Time to cover 99 % of the way up, in amplitude. (0.0001…0.5 s; default 0.002)
  ///   - hold: Time for which a peak counts as the level. (0…2 s; default 0.02)
  ///   - release: Time to cover 99 % of the way down, in amplitude. (0.005…5 s; default 0.2)
  ///   - keyHighPass: The detector ignores what lies below, 12 dB an octave; 10 Hz is off.
  ///     (10…10000 Hz; default 10)
  ///   - keyLowPass: The detector ignores what lies above, 12 dB an octave; 20 kHz is off.
  ///     (100…20000 Hz; default 20000)
  ///   - lookahead: The look-ahead of the expander; adds as much latency. (0…0.02 s; default 0)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    threshold: Level? = nil,
    ratio: Double? = nil,
    knee: Level? = nil,
    range: Level? = nil,
    attack: Time? = nil,
    hold: Time? = nil,
    release: Time? = nil,
    keyHighPass: Frequency? = nil,
    keyLowPass: Frequency? = nil,
    lookahead: Time? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("expander", id, fileID, line)
    node.setOption("preset", preset)
    node.set("threshold", threshold)
    node.set("ratio", ratio)
    node.set("knee", knee)
    node.set("range", range)
    node.set("attack", attack)
    node.set("hold", hold)
    node.set("release", release)
    node.set("keyHighPass", keyHighPass)
    node.set("keyLowPass", keyLowPass)
    node.setOption("lookahead", lookahead)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The level below which the signal is turned down. (-80…0 dB; default -40)
  public var threshold: ParameterReference<Level> { reference("threshold") }

  /// How many decibels a level falls for each one that it lies below the threshold. (1…20; default
  /// 2)
  public var ratio: ParameterReference<Double> { reference("ratio") }

  /// How wide the bend around the threshold is. (0…24 dB; default 6)
  public var knee: ParameterReference<Level> { reference("knee") }

  /// The largest reduction. (0…96 dB; default 24)
  public var range: ParameterReference<Level> { reference("range") }

  /// Time to cover 99 % of the way up, in amplitude. (0.0001…0.5 s; default 0.002)
  public var attack: ParameterReference<Time> { reference("attack") }

  /// Time for which a peak counts as the level. (0…2 s; default 0.02)
  public var hold: ParameterReference<Time> { reference("hold") }

  /// Time to cover 99 % of the way down, in amplitude. (0.005…5 s; default 0.2)
  public var release: ParameterReference<Time> { reference("release") }

  /// The detector ignores what lies below, 12 dB an octave; 10 Hz is off. (10…10000 Hz; default 10)
  public var keyHighPass: ParameterReference<Frequency> { reference("keyHighPass") }

  /// The detector ignores what lies above, 12 dB an octave; 20 kHz is off. (100…20000 Hz; default
  /// 20000)
  public var keyLowPass: ParameterReference<Frequency> { reference("keyLowPass") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The port sidechain of the unit.
  public var sidechain: GraphPort { port("sidechain") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Lowers the room between words so gently that nobody hears it work.
    case voice
    /// Makes strokes stand out from bleed, and keeps their ends.
    case drums
    /// Shortens the reverberation of a room.
    case dryRoom = "dry room"
  }
}
