// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Turns down sibilance while it is loud.
public struct DeEsser: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - frequency: Where sibilance begins; a split shelf has half its reduction here. (1000…16000
  ///     Hz; default 4500)
  ///   - threshold: The level of the sibilance above which it is turned down. (-60…0 dB; default
  ///     -30)
  ///   - ratio: The ratio: so many decibels above the threshold become 1 dB; at 100 the level stays
  ///     at the threshold. (1…100; default 5)
  ///   - range: The largest reduction. (0…48 dB; default 12)
  ///   - attack: Time to cover 63 % of an increase of the reduction. (0.0001…0.1 s; default 0.001)
  ///   - release: Time to cover 63 % of a decrease of the reduction. (0.005…1 s; default 0.05)
  ///   - listen: Whether the output is the detector's signal alone. (default false)
  ///   - mode: Whether the treble alone is turned down, or all of the sound. (default split)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    frequency: Frequency? = nil,
    threshold: Level? = nil,
    ratio: Double? = nil,
    range: Level? = nil,
    attack: Time? = nil,
    release: Time? = nil,
    listen: Bool? = nil,
    mode: Mode? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("deEsser", id, fileID, line)
    node.setOption("preset", preset)
    node.set("frequency", frequency)
    node.set("threshold", threshold)
    node.set("ratio", ratio)
    node.set("range", range)
    node.set("attack", attack)
    node.set("release", release)
    node.set("listen", listen)
    node.setOption("mode", mode)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// Where sibilance begins; a split shelf has half its reduction here. (1000…16000 Hz; default
  /// 4500)
  public var frequency: ParameterReference<Frequency> { reference("frequency") }

  /// The level of the sibilance above which it is turned down. (-60…0 dB; default -30)
  public var threshold: ParameterReference<Level> { reference("threshold") }

  /// The ratio: so many decibels above the threshold become 1 dB; at 100 the level stays at the
  /// threshold. (1…100; default 5)
  public var ratio: ParameterReference<Double> { reference("ratio") }

  /// The largest reduction. (0…48 dB; default 12)
  public var range: ParameterReference<Level> { reference("range") }

  /// Time to cover 63 % of an increase of the reduction. (0.0001…0.1 s; default 0.001)
  public var attack: ParameterReference<Time> { reference("attack") }

  /// Time to cover 63 % of a decrease of the reduction. (0.005…1 s; default 0.05)
  public var release: ParameterReference<Time> { reference("release") }

  /// Whether the output is the detector's signal alone. (default false)
  public var listen: ParameterReference<Bool> { reference("listen") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Whether the treble alone is turned down, or all of the sound.
  public enum Mode: String, ParameterChoice {
    case split
    case wide
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// A speaking voice near the microphone.
    case voice
    /// A high voice, whose sibilance lies higher too.
    case brightVoice = "bright voice"
    /// Cymbals that hide the rest of a kit.
    case cymbals
  }
}
