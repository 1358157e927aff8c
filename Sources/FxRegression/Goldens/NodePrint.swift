/// What went into a node and what came out of it, small enough to keep beside a golden.
package struct NodePrint: Sendable, Equatable {
  /// Of one side of a node.
  package struct Side: Sendable, Equatable {
    package var channelCount: Int
    /// Thirty-two bits of each window of `NodePrints.windowFrameCount` frames, all channels.
    package var windows: [UInt32]
    /// The highest magnitude, and the root mean square, of all channels.
    package var peak: Double
    package var rms: Double

    package init(
      channelCount: Int, windows: [UInt32], peak: Double, rms: Double
    ) {
      self.channelCount = channelCount
      self.windows = windows
      self.peak = peak
      self.rms = rms
    }
  }

  package var id: String
  /// `compressor`, a plugin's URI, `source main`, `sink main`.
  package var unit: String
  /// The nodes that it hears, by their ids, in the order of the graph.
  package var sources: [String]
  /// Of those that it hears through a connection that closes a loop: how many frames later, by id.
  package var delays: [String: Int] = [:]
  /// nil for a source, and for a sink `output` is nil.
  package var input: Side?
  package var output: Side?
  /// False where two renders of the same build differed when the golden was made.
  package var repeats = true

  package init(
    id: String, unit: String, sources: [String], input: Side? = nil, output: Side? = nil
  ) {
    self.id = id
    self.unit = unit
    self.sources = sources
    self.input = input
    self.output = output
  }
}

/// The prints of a render, in the plan's order of rendering, sources first and sinks last.
package struct NodePrints: Sendable, Equatable {
  package var windowFrameCount: Int
  package var nodes: [NodePrint]

  package init(windowFrameCount: Int, nodes: [NodePrint]) {
    self.windowFrameCount = windowFrameCount
    self.nodes = nodes
  }
}
