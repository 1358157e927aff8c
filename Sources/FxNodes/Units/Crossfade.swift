// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Fades from input `a` to input `b`.
public struct Crossfade: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - position: 0 is `a` alone, 1 is `b` alone. (0…1; default 0)
  ///   - law: The levels on the way: `constantPower` for two different sounds, -3 dB each in the
  ///     middle; `linear` for two that are alike, -6 dB each. (default constantPower)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    position: Ratio? = nil,
    law: Law? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("crossfade", id, fileID, line)
    node.set("position", position)
    node.setOption("law", law)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// 0 is `a` alone, 1 is `b` alone. (0…1; default 0)
  public var position: ParameterReference<Ratio> { reference("position") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The port a of the unit.
  public var a: GraphPort { port("a") }

  /// The port b of the unit.
  public var b: GraphPort { port("b") }

  /// The levels on the way: `constantPower` for two different sounds, -3 dB each in the middle;
  /// `linear` for two that are alike, -6 dB each.
  public enum Law: String, ParameterChoice {
    case constantPower
    case linear
  }
}
