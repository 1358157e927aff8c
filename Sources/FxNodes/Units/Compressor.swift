// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Turns down what is louder than a threshold.
public struct Compressor: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - threshold: The level above which the signal is turned down. (-60…0 dB; default -18)
  ///   - ratio: The ratio: so many decibels above the threshold become 1 dB; at 100 the level stays
  ///     at the threshold. (1…100; default 4)
  ///   - knee: How wide the bend around the threshold is. (0…24 dB; default 6)
  ///   - attack: Time to cover 63 % of an increase of the reduction. (0.0001…1 s; default 0.005)
  ///   - release: Time to cover 63 % of a decrease of the reduction. (0.005…5 s; default 0.1)
  ///   - makeup: The level change after compression. (-24…36 dB; default 0)
  ///   - range: The largest reduction; at 100 dB there is no limit. (0…100 dB; default 100)
  ///   - keyHighPass: The detector ignores what lies below, 12 dB an octave; 10 Hz is off.
  ///     (10…10000 Hz; default 10)
  ///   - keyLowPass: The detector ignores what lies above, 12 dB an octave; 20 kHz is off.
  ///     (100…20000 Hz; default 20000)
  ///   - detector: Whether the level is the peak or the root mean square. (default peak)
  ///   - rmsTime: The time over which the root mean square is taken, to 63 %. (0.001…1 s; default
  ///     0.01)
  ///   - autoRelease: Whether a short peak is released in an eighth of the release time, and a
  ///     lasting level in all of it. (default false)
  ///   - lookahead: The look-ahead of the detector; adds as much latency. (0…0.02 s; default 0)
  ///   - link: Whether all channels are turned down alike, by the loudest. (default true)
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
    attack: Time? = nil,
    release: Time? = nil,
    makeup: Level? = nil,
    range: Level? = nil,
    keyHighPass: Frequency? = nil,
    keyLowPass: Frequency? = nil,
    detector: Detector? = nil,
    rmsTime: Time? = nil,
    autoRelease: Bool? = nil,
    lookahead: Time? = nil,
    link: Bool? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("compressor", id, fileID, line)
    node.setOption("preset", preset)
    node.set("threshold", threshold)
    node.set("ratio", ratio)
    node.set("knee", knee)
    node.set("attack", attack)
    node.set("release", release)
    node.set("makeup", makeup)
    node.set("range", range)
    node.set("keyHighPass", keyHighPass)
    node.set("keyLowPass", keyLowPass)
    node.setOption("detector", detector)
    node.setOption("rmsTime", rmsTime)
    node.setOption("autoRelease", autoRelease)
    node.setOption("lookahead", lookahead)
    node.setOption("link", link)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The level above which the signal is turned down. (-60…0 dB; default -18)
  public var threshold: ParameterReference<Level> { reference("threshold") }

  /// The ratio: so many decibels above the threshold become 1 dB; at 100 the level stays at the
  /// threshold. (1…100; default 4)
  public var ratio: ParameterReference<Double> { reference("ratio") }

  /// How wide the bend around the threshold is. (0…24 dB; default 6)
  public var knee: ParameterReference<Level> { reference("knee") }

  /// Time to cover 63 % of an increase of the reduction. (0.0001…1 s; default 0.005)
  public var attack: ParameterReference<Time> { reference("attack") }

  /// Time to cover 63 % of a decrease of the reduction. (0.005…5 s; default 0.1)
  public var release: ParameterReference<Time> { reference("release") }

  /// The level change after compression. (-24…36 dB; default 0)
  public var makeup: ParameterReference<Level> { reference("makeup") }

  /// The largest reduction; at 100 dB there is no limit. (0…100 dB; default 100)
  public var range: ParameterReference<Level> { reference("range") }

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

  /// Whether the level is the peak or the root mean square.
  public enum Detector: String, ParameterChoice {
    case peak
    case rms
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Evens out a voice.
    case voice
    /// Lets the stroke through and holds what follows.
    case drums
    /// Holds a mix together.
    case bus
    /// Holds a mix together and does not react to the bass drum alone.
    case mix
  }
}
