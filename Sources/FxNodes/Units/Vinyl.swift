// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// A sound played from a record: crackle, noise, rumble, wow.
public struct Vinyl: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - wow: How far the speed wavers slowly, to either side. (0…0.02; default 0.001)
  ///   - flutter: How far it wavers fast, at most. (0…0.01; default 0.001)
  ///   - clicks: Clicks a second, on average. (0…500 Hz; default 4)
  ///   - clickLevel: The level of the loudest. (-inf…0 dB; default -18)
  ///   - noise: The RMS level of the surface. (-inf…-20 dB; default -60)
  ///   - rumble: The RMS level of the motor's noise, around 30 Hz. (-inf…-20 dB; default -56)
  ///   - treble: Where the treble ends. (1000…20000 Hz; default 15000)
  ///   - speed: Turns a minute, which is how often its speed wavers. (default 33)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    wow: Ratio? = nil,
    flutter: Ratio? = nil,
    clicks: Frequency? = nil,
    clickLevel: Level? = nil,
    noise: Level? = nil,
    rumble: Level? = nil,
    treble: Frequency? = nil,
    speed: Speed? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("vinyl", id, fileID, line)
    node.setOption("preset", preset)
    node.set("wow", wow)
    node.set("flutter", flutter)
    node.set("clicks", clicks)
    node.set("clickLevel", clickLevel)
    node.set("noise", noise)
    node.set("rumble", rumble)
    node.set("treble", treble)
    node.setOption("speed", speed)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// How far the speed wavers slowly, to either side. (0…0.02; default 0.001)
  public var wow: ParameterReference<Ratio> { reference("wow") }

  /// How far it wavers fast, at most. (0…0.01; default 0.001)
  public var flutter: ParameterReference<Ratio> { reference("flutter") }

  /// Clicks a second, on average. (0…500 Hz; default 4)
  public var clicks: ParameterReference<Frequency> { reference("clicks") }

  /// The level of the loudest. (-inf…0 dB; default -18)
  public var clickLevel: ParameterReference<Level> { reference("clickLevel") }

  /// The RMS level of the surface. (-inf…-20 dB; default -60)
  public var noise: ParameterReference<Level> { reference("noise") }

  /// The RMS level of the motor's noise, around 30 Hz. (-inf…-20 dB; default -56)
  public var rumble: ParameterReference<Level> { reference("rumble") }

  /// Where the treble ends. (1000…20000 Hz; default 15000)
  public var treble: ParameterReference<Frequency> { reference("treble") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Turns a minute, which is how often its speed wavers.
  public enum Speed: String, ParameterChoice {
    case rpm33 = "33"
    case rpm45 = "45"
    case rpm78 = "78"
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// A new record.
    case playedOnce = "played once"
    /// A single with scratches.
    case fleaMarket = "flea market"
    /// A record of 1935.
    case shellac
  }
}
