package import FxAudio
import FxGraph

/// What a program that measures its nodes has to show. Any thread may ask while it renders.
extension RenderProgram {
  /// What a node took of each block, in seconds; nil for what renders nothing, and where nothing is
  /// measured.
  package func time(ofNode node: Int) -> TimeHistogram? {
    guard let times = measures?.times, node >= 0, node < graph.graph.nodes.count else { return nil }
    return times.histogram(node)
  }

  /// The same for a sum or a delay, by its number in the plan, where each is measured.
  package func time(ofStep step: Int) -> TimeHistogram? {
    measures?.times.histogram(ofStep: step)
  }

  /// The same for what lies between the nodes: sums, delays, the ends of loops.
  package var timeBetweenNodes: TimeHistogram? {
    measures.flatMap { $0.times.histogram($0.times.between) }
  }

  /// The same for whole renders.
  package var timeOfBlocks: TimeHistogram? { measures?.times.whole }

  /// Whether the level of every node is looked at.
  package func measureNodeLevels(_ isWanted: Bool) { measures?.levels.want(isWanted) }

  /// The peak of a node's output, falling by 20 dB in 1.7 s; nil while nobody looks.
  package func peak(ofNode node: Int) -> Float? {
    guard let measures, measures.times.histogram(node) != nil else { return nil }
    return measures.levels.peak(node)
  }
}

extension Renderer {
  // MARK: - Realtime

  /// The node that took longest of the block that was rendered last, and the seconds that it took;
  /// -1 where it was not measured: below 128 frames a block one of several is.
  package var slowestNode: (node: Int, seconds: Double) {
    @_noLocks get {
      guard let measures else { return (-1, 0) }
      let slowest = measures.times.slowest
      return (slowest.node, slowest.seconds)
    }
  }
}
