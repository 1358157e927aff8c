import FxEngine
import FxUnits

extension CompiledChain.Settings {
  /// The partition of the plan into threads; nil for one thread.
  func partition(_ graph: ResolvedGraph) -> Partition? {
    guard threads > 1, !takesFingerprints else { return nil }
    return Partition(costs: costs(graph), threads: threads, isRequested: areThreadsRequested)
  }

  /// The maximum cost of a light chain in nanoseconds per frame: for it, a read-ahead thread costs
  /// more than it saves.
  private static let lightCost = 5.0

  /// True for a chain that needs less time than reading its file.
  func isLight(_ graph: ResolvedGraph) -> Bool { costs(graph).reduce(0, +) <= Self.lightCost }

  /// Nanoseconds per frame, by node.
  private func costs(_ graph: ResolvedGraph) -> [Double] {
    graph.graph.nodes.indices.map { cost(of: $0, in: graph) }
  }

  /// Nanoseconds per frame: measured, or estimated for a typical processor.
  private func cost(of node: Int, in graph: ResolvedGraph) -> Double {
    if let measured = nodeCosts[graph.graph.nodes[node].id] { return measured }
    guard let unit = graph.graph.nodes[node].unit else { return 0 }
    let width = max(graph.inputCount(node), graph.outputCount(node), 1)
    let stereo = Double(width) / 2
    switch unit.kind {
    case .builtIn(let name, let revision):
      let cost = BuiltInUnits.costs["\(name)@\(revision)"] ?? BuiltInUnits.costs[name] ?? 5
      return cost * stereo
    // The cost of a plugin is unknown.
    case .lv2: return 20 * stereo
    }
  }
}
