package import FxAudio

/// The results of a program that measures its nodes. Any thread may read them during a render.
extension RenderProgram {
  /// A node's render times per block, in seconds; nil for a node that renders nothing, and where
  /// nothing is measured.
  package func time(ofNode node: Int) -> TimeHistogram? {
    guard let times = measures?.times, node >= 0, node < graph.graph.nodes.count else { return nil }
    return times.histogram(node)
  }

  /// The same for a sum or a delay, by its number in the plan, if steps are measured.
  package func time(ofStep step: Int) -> TimeHistogram? {
    measures?.times.histogram(ofStep: step)
  }

  /// The same for the work between nodes: sums, delays, the ends of loops.
  package var timeBetweenNodes: TimeHistogram? {
    measures.flatMap { $0.times.histogram($0.times.between) }
  }

  /// The same for whole renders.
  package var timeOfBlocks: TimeHistogram? { measures?.times.whole }

  /// Starts or stops the measurement of every node's level.
  package func measureNodeLevels(_ isWanted: Bool) { measures?.levels.want(isWanted) }

  /// The peak of a node's output, falling by 20 dB in 1.7 s; nil while levels are not measured.
  package func peak(ofNode node: Int) -> Float? {
    guard let measures, measures.times.histogram(node) != nil else { return nil }
    return measures.levels.peak(node)
  }
}

extension Renderer {
  // MARK: - Realtime

  /// The node that took longest in the last block, and its time in seconds. -1 if the block was not
  /// timed: below 128 frames per block, only some blocks are.
  var slowestNode: (node: Int, seconds: Double) {
    @_noLocks get {
      guard let measures else { return (-1, 0) }
      let slowest = measures.times.slowest
      return (slowest.node, slowest.seconds)
    }
  }
}
