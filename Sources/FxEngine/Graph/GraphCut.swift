import FxAudio

extension Graph {
  /// The part of a graph that feeds the target nodes. Each target becomes a sink for its first
  /// input. Sources stay, because they set the length of the sound. Every other node becomes an
  /// unconnected sink, so that node numbers stay the same.
  package func cut(at targets: Set<Int>) -> Graph {
    let needed = nodes(leadingTo: targets)
    var graph = self
    for index in nodes.indices where !needed.contains(index) || targets.contains(index) {
      let isTarget = targets.contains(index)
      switch nodes[index].content {
      case .source: continue
      case .sink where isTarget: continue
      case .sink, .unit: break
      }
      let input = nodes[index].inputs.first ?? .main
      graph.nodes[index] = Graph.Node(
        id: nodes[index].id, content: .sink(.discarded, isAligned: isTarget),
        inputs: [InputBusSpec("in", width: isTarget ? input.width : .exactly(1))], outputs: [])
    }
    graph.connections = connections.filter { connection in
      let (from, to) = (connection.from.node, connection.to.node)
      guard needed.contains(from), needed.contains(to), !targets.contains(from) else {
        return false
      }
      return !targets.contains(to) || connection.to.bus == 0
    }
    return graph
  }

  /// The target nodes, the nodes that feed their first inputs, and so on back to the sources.
  package func nodes(leadingTo targets: Set<Int>) -> Set<Int> {
    var feeders: [Int: [Int]] = [:]
    for connection in connections
    where !targets.contains(connection.to.node) || connection.to.bus == 0 {
      feeders[connection.to.node, default: []].append(connection.from.node)
    }
    var needed = targets
    var open = Array(targets)
    while let node = open.popLast() {
      for from in feeders[node] ?? [] where needed.insert(from).inserted { open.append(from) }
    }
    return needed
  }
}
