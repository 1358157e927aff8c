/// The nodes in render order, in groups: all nodes of a loop are one group, and any other node is a
/// group of its own.
struct Components {
  /// Groups in render order, nodes within a group in the order of the signal.
  var groups: [[Int]]
  var groupOfNode: [Int]
  /// True for groups that are a loop closed by a feedback connection.
  var isLoop: [Bool]
}

extension ResolvedGraph {
  /// Nodes in a feedback loop: they render in slices of a block.
  package func nodesInLoops() throws(GraphError) -> Set<Int> {
    guard graph.connections.contains(where: { $0.feedbackDelay != nil }) else { return [] }
    let found = try components()
    return Set(graph.nodes.indices.filter { found.isLoop[found.groupOfNode[$0]] })
  }

  /// Strongly connected components (feedback connections included) in topological order.
  func components() throws(GraphError) -> Components {
    let connections = graph.connections
    var component = Array(graph.nodes.indices)
    if connections.contains(where: { $0.feedbackDelay != nil }) {
      component = stronglyConnected()
    }
    for (index, connection) in connections.enumerated() where connection.feedbackDelay != nil {
      guard component[connection.from.node] == component[connection.to.node] else {
        throw .feedbackClosesNoLoop(connection: index)
      }
    }
    // A group takes the position of its first node.
    var first = [Int: Int]()
    for node in graph.nodes.indices where first[component[node]] == nil {
      first[component[node]] = node
    }
    let leader = component.map { first[$0] ?? 0 }
    let between = connections.compactMap {
      leader[$0.from.node] == leader[$0.to.node]
        ? nil : (from: leader[$0.from.node], to: leader[$0.to.node])
    }
    let leaders = topologicalOrder(count: graph.nodes.count, edges: between)
      .filter { leader[$0] == $0 }
    var members = [Int: [Int]]()
    for node in try graph.signalOrder() { members[leader[node], default: []].append(node) }
    var loops = Set<Int>()
    for connection in connections where connection.feedbackDelay != nil {
      loops.insert(leader[connection.from.node])
    }
    var groupOfNode = [Int](repeating: 0, count: graph.nodes.count)
    for (group, node) in leaders.enumerated() {
      for member in members[node] ?? [] { groupOfNode[member] = group }
    }
    return Components(
      groups: leaders.map { members[$0] ?? [] }, groupOfNode: groupOfNode,
      isLoop: leaders.map(loops.contains))
  }

  /// Tarjan's algorithm (1972) without recursion, so that a long chain cannot overflow the stack.
  private func stronglyConnected() -> [Int] {
    let count = graph.nodes.count
    var successors = [[Int]](repeating: [], count: count)
    for connection in graph.connections {
      successors[connection.from.node].append(connection.to.node)
    }
    var index = [Int](repeating: -1, count: count)
    var low = index
    var component = index
    var open: [Int] = []
    var next = 0
    var found = 0
    var walk: [(node: Int, child: Int)] = []
    for root in 0..<count where index[root] < 0 {
      walk.append((root, 0))
      while let (node, child) = walk.popLast() {
        if child == 0 {
          index[node] = next
          low[node] = next
          next += 1
          open.append(node)
        } else {
          low[node] = min(low[node], low[successors[node][child - 1]])
        }
        var descended = false
        for position in child..<successors[node].count {
          let successor = successors[node][position]
          if index[successor] < 0 {
            walk.append((node, position + 1))
            walk.append((successor, 0))
            descended = true
            break
          }
          if component[successor] < 0 { low[node] = min(low[node], index[successor]) }
        }
        guard !descended, low[node] == index[node] else { continue }
        while let member = open.popLast() {
          component[member] = found
          if member == node { break }
        }
        found += 1
      }
    }
    return component
  }
}
