// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Says which note is played and how far from it, and passes the signal through.
public struct Tuner: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - reference: The frequency of the A above middle C. (400…480 Hz; default 440)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    reference: Frequency? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("tuner", id, fileID, line)
    node.set("reference", reference)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The frequency of the A above middle C. (400…480 Hz; default 440)
  public var reference: ParameterReference<Frequency> { reference("reference") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
