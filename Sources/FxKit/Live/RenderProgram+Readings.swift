import FxAudio
package import FxEngine
package import FxPlaying

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
        load: BlockLoad(summary, blockSeconds: blockSeconds))
    }.sorted { ($0.share, $1.node) > ($1.share, $0.node) }
  }
}

extension RenderProgram {
  /// All readings of the chain's units now, in the order of the chain.
  package func readings(of compiled: CompiledChain) -> [LiveReading] {
    compiled.resolved.graph.nodes.indices.flatMap { readings(ofNode: $0, of: compiled) }
  }

  func readings(ofNode index: Int, of compiled: CompiledChain) -> [LiveReading] {
    guard instances.indices.contains(index), let instance = instances[index] else { return [] }
    let id = compiled.resolved.graph.nodes[index].id
    let width = compiled.resolved.outputWidths[index].first ?? 0
    return instance.readings(width: width).map { reading in
      LiveReading(
        name: "\(id).\(reading.id)", summary: reading.name,
        unit: reading.measure == Measure.ratio.rawValue ? "" : reading.measure,
        values: reading.values)
    }
  }
}
