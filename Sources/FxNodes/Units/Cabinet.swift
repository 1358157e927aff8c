// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// A guitar loudspeaker in its box, to follow an amplifier.
public struct Cabinet: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - level: The output level. (-48…24 dB; default 0)
  ///   - speaker: How many loudspeakers of how many inches there are; 4x12 is closed behind.
  ///     (default 1x12)
  ///   - position: Where the microphone stands: 0 before the middle of the cone, 1 before its edge,
  ///     which is darker. (0…1; default 0.3)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    level: Level? = nil,
    speaker: Speaker? = nil,
    position: Ratio? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("cabinet", id, fileID, line)
    node.set("level", level)
    node.setOption("speaker", speaker)
    node.setOption("position", position)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The output level. (-48…24 dB; default 0)
  public var level: ParameterReference<Level> { reference("level") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// How many loudspeakers of how many inches there are; 4x12 is closed behind.
  public enum Speaker: String, ParameterChoice {
    case one10 = "1x10"
    case one12 = "1x12"
    case two12 = "2x12"
    case four12 = "4x12"
  }
}
