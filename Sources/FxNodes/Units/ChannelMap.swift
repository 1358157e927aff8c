// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Brings channels into another layout by their names; nothing is mixed.
public struct ChannelMap: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - to: The layout of the output.
  ///   - map: Channels that come from elsewhere, such as FL=FR; FR=FL; LFE=none: a channel of the
  ///     output, and a channel of the input by name or number, or none.
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    to: LayoutName,
    map: String? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("channelMap", id, fileID, line)
    node.setOption("to", to)
    node.setOption("map", map)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
