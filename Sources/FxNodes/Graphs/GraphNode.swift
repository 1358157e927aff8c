/// A node that was added to a graph: its id there, and references to its parameters and ports.
///
///     let room = graph.add(Reverb(wet: 0.2))
///     graph.expose("amount", room.wet)
///
/// It stays the same when the node in the graph changes: `graph[room]` is the node's present value.
@dynamicMemberLookup
public struct GraphNode<Value: ChainNode>: GraphEnd {
  /// The id of the node in its graph.
  public let id: String
  private let value: Value
  private let graph: GraphIdentity

  init(_ value: Value, id: String, _ graph: GraphIdentity) {
    self.id = id
    self.graph = graph
    var value = value
    value.node.id = id
    self.value = value
  }

  public var end: GraphPort {
    var end = GraphPort(id)
    end.graph = graph
    return end
  }

  /// A port of the node.
  ///
  /// - Parameters:
  ///   - name: the name of the port.
  ///   - channel: one channel of the port, from 1; nil for all of them.
  public func port(_ name: String, channel: Int? = nil) -> GraphPort {
    var port = GraphPort(id, port: name, channel: channel)
    port.graph = graph
    return port
  }

  /// A port that is an element of the node's list. A connection to it sets the element's values.
  ///
  /// - Parameters:
  ///   - list: the key of the list: `strips`.
  ///   - item: the element, with its values.
  public func port(_ list: String, _ item: some NodeItem) -> GraphPort {
    var port = port(item.fields.id ?? "")
    if !item.fields.keys.isEmpty { port.item = GraphPort.Item(list: list, fields: item.fields) }
    return port
  }

  /// A parameter of the node.
  public subscript<Quantity: ParameterQuantity>(
    dynamicMember parameter: KeyPath<Value, ParameterReference<Quantity>>
  ) -> ParameterReference<Quantity> { value[keyPath: parameter] }

  /// A list of the node.
  public subscript<Item: NodeItem>(
    dynamicMember list: KeyPath<Value, NodeItems<Item>>
  ) -> NodeItems<Item> { value[keyPath: list] }

  /// A port of the node.
  public subscript(dynamicMember port: KeyPath<Value, GraphPort>) -> GraphPort {
    var port = value[keyPath: port]
    port.graph = graph
    return port
  }
}

extension GraphNode: Hashable {
  /// The same node of the same graph, or of a copy of it.
  public static func == (left: GraphNode, right: GraphNode) -> Bool {
    left.id == right.id && left.graph === right.graph
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(ObjectIdentifier(graph))
  }
}
