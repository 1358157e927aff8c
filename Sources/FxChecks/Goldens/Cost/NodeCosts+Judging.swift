extension NodeCosts {
  /// Nodes with a smaller share of the total cost are too fast to be measured on their own.
  private static let smallestShare = 0.05

  /// The nodes that became slower by more than the tolerance (0.25 is a quarter), the largest loss
  /// first. If no single node did, the chain, if it became slower.
  func slowdowns(since then: NodeCosts, tolerance: Double) -> [CaseVerdict.Slowdown] {
    let before = Dictionary(then.nodes.map { ($0.id, $0.cost) }) { first, _ in first }
    let limit = 1 + max(tolerance, 0)
    let share = Self.smallestShare * max(then.total, total, 0)
    let slower = nodes.filter { node in
      guard let cost = before[node.id], node.cost >= share else { return false }
      return node.cost > max(cost, share / 2) * limit
    }
    let ranked = slower.sorted {
      ($1.cost - (before[$1.id] ?? 0), $0.id) < ($0.cost - (before[$0.id] ?? 0), $1.id)
    }
    if !ranked.isEmpty {
      return ranked.map {
        CaseVerdict.Slowdown(node: $0.id, then: before[$0.id] ?? 0, now: $0.cost)
      }
    }
    return total > then.total * limit
      ? [CaseVerdict.Slowdown(node: nil, then: then.total, now: total)] : []
  }
}
