/// The buses at the ends of event connections, by node.
package struct EventBuses: Sendable, Equatable {
  package private(set) var inputs: [Int: Set<Int>] = [:]
  package private(set) var outputs: [Int: Set<Int>] = [:]

  package init(_ graph: Graph) {
    for connection in graph.connections where connection.carriesEvents {
      inputs[connection.to.node, default: []].insert(connection.to.bus)
      outputs[connection.from.node, default: []].insert(connection.from.bus)
    }
  }
}
