// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Turns steady noise down: hiss, hum, the sound of a fan.
public struct Denoise: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - reduction: The reduction of parts that are noise alone. (0…48 dB; default 18)
  ///   - bias: How far the noise is overestimated: more removes more of the noise, and of the
  ///     sound. (-12…12 dB; default 2)
  ///   - learn: How the noise is learnt: from the quietest tenth of the sound, with the level that
  ///     the noise has in each second; from a span of it; or continuously, the only way live.
  ///     (default quietest)
  ///   - from: Where the span begins, from the beginning of the sound. (0…86400 s; default 0)
  ///   - to: Where it ends. (0…86400 s; default 1)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    reduction: Level? = nil,
    bias: Level? = nil,
    learn: Learn? = nil,
    from: Time? = nil,
    to: Time? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("denoise", id, fileID, line)
    node.setOption("preset", preset)
    node.set("reduction", reduction)
    node.set("bias", bias)
    node.setOption("learn", learn)
    node.setOption("from", from)
    node.setOption("to", to)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The reduction of parts that are noise alone. (0…48 dB; default 18)
  public var reduction: ParameterReference<Level> { reference("reduction") }

  /// How far the noise is overestimated: more removes more of the noise, and of the sound. (-12…12
  /// dB; default 2)
  public var bias: ParameterReference<Level> { reference("bias") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// How the noise is learnt: from the quietest tenth of the sound, with the level that the noise
  /// has in each second; from a span of it; or continuously, the only way live.
  public enum Learn: String, ParameterChoice {
    case quietest
    case span
    case always
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Leaves the room, takes the hiss.
    case gentle
    /// For a voice in loud noise.
    case strong
  }
}
