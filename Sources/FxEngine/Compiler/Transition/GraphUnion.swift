/// The nodes and connections of two graphs; a kept node is counted once.
struct GraphUnion {
  /// The nodes of the new graph, then the removed ones. The new graph's connections, then the old
  /// one's.
  let graph: Graph
  let inputWidths: [[Int]]
  let outputWidths: [[Int]]
  let oldNodes: [Int?]
  /// By node of the old graph.
  let names: [Int]
  /// Nodes of the new graph.
  let newCount: Int

  init(old: ResolvedGraph, new: ResolvedGraph, _ change: GraphChange) {
    newCount = new.graph.nodes.count
    var names = [Int](repeating: -1, count: old.graph.nodes.count)
    for (node, oldNode) in change.kept.enumerated() {
      if let oldNode { names[oldNode] = node }
    }
    for (index, node) in change.removed.enumerated() { names[node] = newCount + index }
    self.names = names
    let connections = old.graph.connections.map { connection in
      var connection = connection
      connection.from.node = names[connection.from.node]
      connection.to.node = names[connection.to.node]
      return connection
    }
    graph = Graph(
      nodes: new.graph.nodes + change.removed.map { old.graph.nodes[$0] },
      connections: new.graph.connections + connections)
    inputWidths = new.inputWidths + change.removed.map { old.inputWidths[$0] }
    outputWidths = new.outputWidths + change.removed.map { old.outputWidths[$0] }
    oldNodes = change.kept + change.removed.map { $0 }
  }
}
