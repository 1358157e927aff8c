import FxEngine

/// The sources and receivers of nodes in a graph.
extension Graph {
  /// The nodes that a node receives from.
  func heard(by node: Int) -> [Int] { connections.filter { $0.to.node == node }.map(\.from.node) }

  /// All nodes whose signal reaches this one. The node itself is included only in a loop.
  func ancestors(of node: Int) -> Set<Int> {
    reach(from: node) { self.heard(by: $0) }
  }

  /// All nodes that receive a signal from these nodes, with paths through `without` ignored.
  func descendants(of nodes: Set<Int>, without: Int? = nil) -> Set<Int> {
    var found: Set<Int> = []
    for node in nodes where node != without {
      found.formUnion(
        reach(from: node) { node in
          self.connections.filter { $0.from.node == node }.map(\.to.node).filter { $0 != without }
        })
    }
    return found
  }

  private func reach(from node: Int, _ next: (Int) -> [Int]) -> Set<Int> {
    var found: Set<Int> = []
    var waiting = next(node)
    while let other = waiting.popLast() {
      if found.insert(other).inserted { waiting += next(other) }
    }
    return found
  }

  /// The node where the output of a node mixes with a signal that bypassed it: the node itself if
  /// it is partly wet, or the first later node that receives both on the same input.
  func meetingPoint(of node: Int) -> Int? {
    if case .unit(let unit) = nodes[node].content, unit.values.indices.contains(unit.slots.wet),
      (0.001...0.999).contains(unit.values[unit.slots.wet])
    {
      return node
    }
    let after = descendants(of: [node])
    let before = ancestors(of: node)
    let dry = before.union(descendants(of: before, without: node)).subtracting([node])
    for other in after.sorted() where !before.contains(other) {
      let inputs = connections.filter { $0.to.node == other }
      let wetInputs = inputs.filter { after.contains($0.from.node) || $0.from.node == node }
      let dryInputs = inputs.filter {
        !after.contains($0.from.node) && $0.from.node != node && dry.contains($0.from.node)
      }
      let isMixed = wetInputs.contains { wet in
        dryInputs.contains { $0.to.bus == wet.to.bus || nodes[other].mixesBuses }
      }
      if isMixed { return other }
    }
    return nil
  }
}

extension Graph.Node {
  /// A mixer adds its strips; further inputs of other units are sidechains.
  fileprivate var mixesBuses: Bool {
    guard case .unit(let unit) = content, case .builtIn(let name, _) = unit.kind else {
      return false
    }
    return name == "mixer"
  }
}
