import FxAudio
package import FxEngine

/// The processing time of a node in a render or a performance.
public struct NodeCost: Sendable, Hashable {
  /// The name in the chain; empty for the sums and delays between the nodes.
  public let node: String
  /// The unit's name, or a plugin's URI.
  public let unit: String
  /// The node's share of the time of all nodes.
  public let share: Double
  /// Nanoseconds a frame.
  public let nanosecondsPerFrame: Double
  /// Shares of a block's duration.
  public let load: LiveSnapshot.Load

  public init(
    node: String, unit: String, share: Double, nanosecondsPerFrame: Double,
    load: LiveSnapshot.Load
  ) {
    self.node = node
    self.unit = unit
    self.share = share
    self.nanosecondsPerFrame = nanosecondsPerFrame
    self.load = load
  }
}

extension RenderProgram {
  /// The cost of each node, highest first; empty if times were not measured.
  package func nodeCosts(of compiled: CompiledChain) -> [NodeCost] {
    var found: [(node: String, unit: String, summary: TimeHistogram.Summary)] = []
    for (index, node) in compiled.resolved.graph.nodes.enumerated() {
      guard let histogram = time(ofNode: index) else { continue }
      found.append((node.id, node.content.kindName, histogram.summary))
    }
    if let histogram = timeBetweenNodes { found.append(("", "", histogram.summary)) }
    let total = found.reduce(0) { $0 + $1.summary.mean }
    let blockSeconds = Double(maximumFrameCount) / max(sampleRate, 1)
    return found.map { node, unit, summary in
      NodeCost(
        node: node, unit: unit, share: total > 0 ? summary.mean / total : 0,
        nanosecondsPerFrame: summary.mean * 1e9 / Double(max(maximumFrameCount, 1)),
        load: LiveSnapshot.Load(summary, blockSeconds: blockSeconds))
    }.sorted { ($0.share, $1.node) > ($1.share, $0.node) }
  }
}
