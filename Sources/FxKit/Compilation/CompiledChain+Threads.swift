import FxGraph
import FxUnits

extension CompiledChain.Settings {
  /// What the plan is divided by; nil where one thread renders.
  func partition(_ graph: ResolvedGraph) -> Partition? {
    guard threads > 1, !takesFingerprints else { return nil }
    return Partition(costs: costs(graph), threads: threads, isRequested: areThreadsRequested)
  }

  /// Nanoseconds a frame up to which a chain is light: a thread that reads ahead for it costs more than it
  /// saves.
  private static let lightCost = 5.0

  /// True for a chain that takes less time than its file takes to be read.
  func isLight(_ graph: ResolvedGraph) -> Bool { costs(graph).reduce(0, +) <= Self.lightCost }

  /// By node: nanoseconds a frame.
  private func costs(_ graph: ResolvedGraph) -> [Double] {
    graph.graph.nodes.indices.map { cost(of: $0, in: graph) }
  }

  /// Nanoseconds a frame: measured, or as units take them on an ordinary processor.
  private func cost(of node: Int, in graph: ResolvedGraph) -> Double {
    if let measured = nodeCosts[graph.graph.nodes[node].id] { return measured }
    guard let unit = graph.graph.nodes[node].unit else { return 0 }
    let width = max(graph.inputCount(node), graph.outputCount(node), 1)
    let stereo = Double(width) / 2
    switch unit.kind {
    case .builtIn(let name, let revision):
      let cost = BuiltInUnits.costs["\(name)@\(revision)"] ?? BuiltInUnits.costs[name] ?? 5
      return cost * stereo
    // Nothing is known of it.
    case .lv2: return 20 * stereo
    }
  }
}
