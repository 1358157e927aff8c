// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Turns down what is quieter than a threshold.
public struct Gate: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - threshold: The level above which the gate opens. (-80…0 dB; default -40)
  ///   - hysteresis: How far below the threshold the level must fall to close it. (0…24 dB; default
  ///     4)
  ///   - range: How much a closed gate turns down. (0…96 dB; default 60)
  ///   - attack: Time to open to 99 %, in amplitude. (0.0001…0.5 s; default 0.001)
  ///   - hold: Time that the gate stays open after the level has fallen. (0…2 s; default 0.05)
  ///   - release: Time to close to 63 %, in decibels. (0.005…5 s; default 0.1)
  ///   - keyHighPass: The detector ignores what lies below, 12 dB an octave; 10 Hz is off.
  ///     (10…10000 Hz; default 10)
  ///   - keyLowPass: The detector ignores what lies above, 12 dB an octave; 20 kHz is off.
  ///     (100…20000 Hz; default 20000)
  ///   - lookahead: The look-ahead of the gate; adds as much latency. (0…0.02 s; default 0)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    threshold: Level? = nil,
    hysteresis: Level? = nil,
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
    node = Node("gate", id, fileID, line)
    node.setOption("preset", preset)
    node.set("threshold", threshold)
    node.set("hysteresis", hysteresis)
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

  /// The level above which the gate opens. (-80…0 dB; default -40)
  public var threshold: ParameterReference<Level> { reference("threshold") }

  /// How far below the threshold the level must fall to close it. (0…24 dB; default 4)
  public var hysteresis: ParameterReference<Level> { reference("hysteresis") }

  /// How much a closed gate turns down. (0…96 dB; default 60)
  public var range: ParameterReference<Level> { reference("range") }

  /// Time to open to 99 %, in amplitude. (0.0001…0.5 s; default 0.001)
  public var attack: ParameterReference<Time> { reference("attack") }

  /// Time that the gate stays open after the level has fallen. (0…2 s; default 0.05)
  public var hold: ParameterReference<Time> { reference("hold") }

  /// Time to close to 63 %, in decibels. (0.005…5 s; default 0.1)
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
    /// Lowers the room between words.
    case voice
    /// Cuts off bleed between strokes.
    case drums
    /// Opens for the kick drum alone and shuts out cymbals and snare.
    case kick
    /// Silences the hum of a pickup in rests.
    case guitar
  }
}
