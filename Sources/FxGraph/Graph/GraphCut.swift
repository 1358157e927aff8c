import FxAudio

extension Graph {
  /// The part of a graph that leads to some nodes. Each of them becomes a sink for what reaches its
  /// first input. Sources stay, for the length of the sound; every other node becomes a sink that
  /// nothing reaches, so that numbers stay what they are.
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
      graph.nodes[index] = Node(
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

  /// The nodes that what reaches some nodes depends on: those themselves, what feeds their first
  /// inputs, and so on back to the sources. A target that depends on another one has it in there.
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
