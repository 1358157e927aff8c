extension Graph {
  /// Every node after all nodes that feed it; loops are cut at their `feedback` connections. Among
  /// nodes that could be next, the first in the file comes first. (Kahn 1962.)
  func signalOrder() throws(GraphError) -> [Int] {
    let forward = connections.filter { $0.feedbackDelay == nil }.map {
      (from: $0.from.node, to: $0.to.node)
    }
    let order = topologicalOrder(count: nodes.count, edges: forward)
    guard order.count == nodes.count else {
      throw .cycle(cycle(among: Set(nodes.indices).subtracting(order), edges: forward))
    }
    return order
  }

  /// A cycle among nodes that each have a predecessor among them: walks backwards until it reaches
  /// a node again.
  private func cycle(among nodes: Set<Int>, edges: [(from: Int, to: Int)]) -> [Int] {
    var predecessor: [Int: Int] = [:]
    for edge in edges where nodes.contains(edge.from) && nodes.contains(edge.to) {
      predecessor[edge.to] = predecessor[edge.to] ?? edge.from
    }
    guard var node = nodes.min() else { return [] }
    var position: [Int: Int] = [:]
    var path: [Int] = []
    while position[node] == nil {
      position[node] = path.count
      path.append(node)
      guard let next = predecessor[node] else { return path }
      node = next
    }
    let loop = Array(path[(position[node] ?? 0)...].reversed())
    // Start with the node that is first in the file.
    guard let first = loop.min(), let start = loop.firstIndex(of: first) else { return loop }
    return Array(loop[start...] + loop[..<start])
  }
}

/// Kahn's order over `count` nodes, smallest index first; shorter than `count` if there is a cycle.
/// O((nodes + edges) log nodes).
func topologicalOrder(count: Int, edges: [(from: Int, to: Int)]) -> [Int] {
  var waitingFor = [Int](repeating: 0, count: count)
  var successors = [[Int]](repeating: [], count: count)
  for edge in edges {
    waitingFor[edge.to] += 1
    successors[edge.from].append(edge.to)
  }
  var ready = MinimumHeap()
  for node in 0..<count where waitingFor[node] == 0 { ready.insert(node) }
  var order: [Int] = []
  order.reserveCapacity(count)
  while let node = ready.removeMinimum() {
    order.append(node)
    for next in successors[node] {
      waitingFor[next] -= 1
      if waitingFor[next] == 0 { ready.insert(next) }
    }
  }
  return order
}

/// A binary heap that returns its smallest number first.
private struct MinimumHeap {
  private var values: [Int] = []

  mutating func insert(_ value: Int) {
    values.append(value)
    var child = values.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard values[child] < values[parent] else { return }
      values.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeMinimum() -> Int? {
    guard let minimum = values.first, let last = values.popLast() else { return nil }
    guard !values.isEmpty else { return minimum }
    values[0] = last
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < values.count && values[child] < values[smallest] {
        smallest = child
      }
      guard smallest != parent else { return minimum }
      values.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
