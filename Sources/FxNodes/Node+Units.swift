extension Node {
  /// A node of the program: a source, a sink, a player.
  ///
  /// - Parameters:
  ///   - node: the node of the program.
  ///   - id: the id in the chain; nil for the node's name.
  ///   - fileID: the file of the call, for messages.
  ///   - line: the line of the call, for messages.
  public init(
    _ node: any ProgramNode, id: String? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    self.init(node.name, id, fileID, line)
    units.insert(node)
  }

  /// A unit of your own.
  ///
  /// - Parameters:
  ///   - unit: the unit's type.
  ///   - id: the id in the chain; nil for an automatic one.
  ///   - parameters: values by parameter.
  ///   - options: options and lists by key.
  ///   - fileID: the file of the call, for messages.
  ///   - line: the line of the call, for messages.
  public init(
    _ unit: UnitSet.Element, id: String? = nil,
    parameters: KeyValuePairs<String, ChainValue> = [:],
    options: KeyValuePairs<String, ChainValue> = [:], fileID: String = #fileID, line: Int = #line
  ) {
    let own = UnitSet([unit])
    self.init(
      unit: own.names[0], id: id, parameters: parameters, options: options, fileID: fileID,
      line: line)
    units = own
  }
}

extension NodeListBuilder {
  public static func buildExpression(_ node: some ProgramNode) -> [Node] { [Node(node)] }
}

extension ChainGraph {
  /// Adds a node of the program: a source, a sink, a player.
  @discardableResult
  public mutating func add(
    _ node: some ProgramNode, fileID: String = #fileID, line: Int = #line
  ) -> GraphNode<Node> {
    add(Node(node, fileID: fileID, line: line))
  }

  /// The units of your own that its nodes use, and those of the chain that it was read from.
  public var units: UnitSet { nodes.reduce(given) { $0 + $1.units } }
}
