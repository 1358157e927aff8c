package import FxAudio
package import FxEngine

/// Takes snapshots of a program while it plays. On the control thread, without blocking the render
/// thread.
struct LiveObserver {
  /// Counts and sums of times at the last snapshot, by node; -1 is for the work between nodes, -2
  /// for whole blocks.
  private var before: [Int: (count: Int, sum: Double)] = [:]
  /// The program of these counts; another program starts at zero.
  private weak var observed: RenderProgram?
  private static let between = -1
  private static let blocks = -2

  package init() {}

  /// Fills in the nodes, the work between them and the whole blocks.
  package mutating func observe(
    _ program: RenderProgram, of compiled: CompiledChain, into snapshot: inout LiveSnapshot
  ) {
    if observed !== program { before = [:] }
    observed = program
    let blockSeconds = Double(program.maximumFrameCount) / max(program.sampleRate, 1)
    snapshot.sampleRate = program.sampleRate
    snapshot.blockFrames = program.maximumFrameCount
    snapshot.latencyFrames = program.plan.latency
    snapshot.nodes = []
    // During a crossfade, the nodes of the old chain come after those of this chain.
    for (index, node) in compiled.resolved.graph.nodes.enumerated() {
      guard program.instances.indices.contains(index), let instance = program.instances[index]
      else { continue }
      let load = program.time(ofNode: index).map {
        self.load($0, index, blockSeconds: blockSeconds)
      }
      snapshot.nodes.append(
        LiveSnapshot.Node(
          id: node.id, unit: node.content.kindName,
          readings: instance.readings(width: compiled.resolved.outputWidths[index].first ?? 0),
          load: load,
          peak: program.peak(ofNode: index).map { Math.decibels(amplitude: Double($0)) }))
    }
    snapshot.blocks = program.timeOfBlocks.map {
      load($0, Self.blocks, blockSeconds: blockSeconds)
    }
    snapshot.betweenNodes = program.timeBetweenNodes.map {
      load($0, Self.between, blockSeconds: blockSeconds)
    }
  }

  private mutating func load(
    _ histogram: TimeHistogram, _ key: Int, blockSeconds: Double
  ) -> LiveSnapshot.Load {
    let summary = histogram.summary
    let sum = summary.mean * Double(summary.count)
    let last = before[key] ?? (0, 0)
    before[key] = (summary.count, sum)
    let blocks = summary.count - last.count
    return LiveSnapshot.Load(
      summary, now: blocks > 0 ? max(0, sum - last.sum) / Double(blocks) : 0,
      blockSeconds: blockSeconds)
  }
}

extension LiveSnapshot.Level {
  /// Converts linear magnitudes to dB.
  package init(_ level: LevelBoard.Level) {
    self.init(
      peak: Math.decibels(amplitude: Double(level.peak)),
      rms: Math.decibels(amplitude: Double(level.rms)),
      highest: Math.decibels(amplitude: Double(level.highest)),
      clippedSamples: level.clippedCount)
  }
}

extension UnitInstance {
  /// The unit's readings now; `width` is the channel count of its first output.
  package func readings(width: Int) -> [LiveSnapshot.Reading] {
    var cell = 0
    return spec.readings.map { spec in
      let count = spec.isPerChannel ? width : 1
      defer { cell += count }
      let values = (cell..<cell + count).map { Double(readings[$0]) }
      let isGain = spec.measure == .gain
      return LiveSnapshot.Reading(
        id: spec.id, name: spec.summary,
        measure: isGain ? Measure.decibels.rawValue : spec.measure.rawValue,
        values: isGain ? values.map { Math.decibels(amplitude: $0) } : values)
    }
  }
}
