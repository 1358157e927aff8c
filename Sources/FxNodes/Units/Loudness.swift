// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Brings a sound to a loudness: a whole one by one gain, a live one slowly.
public struct Loudness: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - target: The loudness to reach: -16 for podcasts, -14 for streams, -23 for broadcasts.
  ///     (-70…0 LUFS; default -16)
  ///   - ceiling: The true peak that the gain stops at, or that the limiter keeps. (-24…0 dB;
  ///     default -1)
  ///   - boost: The most that a live sound is raised. (0…40 dB; default 12)
  ///   - limit: Whether a limiter keeps the ceiling, so that the target can still be reached.
  ///     (default false)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    target: LoudnessLevel? = nil,
    ceiling: Level? = nil,
    boost: Level? = nil,
    limit: Bool? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("loudness", id, fileID, line)
    node.setOption("preset", preset)
    node.set("target", target)
    node.set("ceiling", ceiling)
    node.set("boost", boost)
    node.setOption("limit", limit)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The loudness to reach: -16 for podcasts, -14 for streams, -23 for broadcasts. (-70…0 LUFS;
  /// default -16)
  public var target: ParameterReference<LoudnessLevel> { reference("target") }

  /// The true peak that the gain stops at, or that the limiter keeps. (-24…0 dB; default -1)
  public var ceiling: ParameterReference<Level> { reference("ceiling") }

  /// The most that a live sound is raised. (0…40 dB; default 12)
  public var boost: ParameterReference<Level> { reference("boost") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Speech for listeners on the way.
    case podcast
    /// Music for the large platforms.
    case streaming
    /// Programmes as EBU R 128 wants them.
    case broadcast
  }
}
