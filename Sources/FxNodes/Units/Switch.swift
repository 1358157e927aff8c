// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Lets one of its inputs through; a change is a fade.
public struct Switch: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - select: The number of the input, in the order of `choices`; 0 is silence. (0…32; default
  ///     1)
  ///   - fade: How long a fade takes. (0.001…10 s; default 0.02)
  ///   - channels: The width of the output. (1…32; default 2)
  ///   - choices: The choices, in their order.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    select: Int? = nil,
    fade: Time? = nil,
    channels: Int? = nil,
    choices: [Choice] = [],
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("switch", id, fileID, line)
    node.set("select", select)
    node.setOption("fade", fade)
    node.setOption("channels", channels)
    node.add(choices, to: "choices", isNamed: true)
  }

  /// The number of the input, in the order of `choices`; 0 is silence. (0…32; default 1)
  public var select: ParameterReference<Int> { reference("select") }

  /// The choices, by name or by number from 1.
  public var choices: NodeItems<Choice> { items("choices") }
}

extension Switch {
  /// One of the choices.
  public struct Choice: NodeItem {
    public var fields: NodeItemFields

    public init(fields: NodeItemFields) { self.fields = fields }

    /// - Parameters:
    ///   - id: The node that feeds the choice.
    public init(
      _ id: String
    ) {
      fields = NodeItemFields(id: id)
    }
  }
}

extension GraphNode where Value == Switch {
  /// The input of a choice, whose values a connection to it sets.
  ///
  /// - Parameters:
  ///   - id: The node that feeds the choice.
  public func choice(
    _ id: String
  ) -> GraphPort {
    port(
      "choices",
      Switch.Choice(id)
    )
  }
}
