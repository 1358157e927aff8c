import FxAudio

/// What went into a node and what came out of it, small enough to keep beside a golden.
package struct NodeFingerprint: Sendable, Equatable {
  /// Of one side of a node.
  package struct Side: Sendable, Equatable {
    package var channelCount: Int
    /// Thirty-two bits of each window of `NodeFingerprints.windowFrameCount` frames, all channels.
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

/// The fingerprints of a render, in the plan's order of rendering, sources first and sinks last.
package struct NodeFingerprints: Sendable, Equatable {
  package var windowFrameCount: Int
  package var nodes: [NodeFingerprint]
  /// Frames that passed every node; nil where that was not written down.
  package var frameCount: Int?
  /// Frames: products of these with counts of windows cannot overflow.
  static let longestWindow = 1 << 30
  static let longestDelay = 1_000_000_000_000

  package init(windowFrameCount: Int, nodes: [NodeFingerprint]) {
    self.windowFrameCount = windowFrameCount
    self.nodes = nodes
  }
}

extension NodeFingerprints {
  /// Decibels by which levels have to be lowered to be those over the longer of two renders, for the
  /// nodes of each: silence behind a sound makes its mean no lower.
  package static func lowering(then: NodeFingerprints, now: NodeFingerprints) -> (
    then: Double, now: Double
  ) {
    func windows(_ fingerprints: NodeFingerprints) -> Int? {
      let counts = fingerprints.nodes.compactMap { ($0.output ?? $0.input)?.windows.count }
      return counts.max().map { $0 * fingerprints.windowFrameCount }
    }
    var frames = (then.frameCount, now.frameCount)
    if frames.0 == nil || frames.1 == nil {
      frames = (windows(then), windows(now))
      // A last window that is not whole is not there.
      let window = max(then.windowFrameCount, now.windowFrameCount)
      if let one = frames.0, let other = frames.1, abs(one - other) <= window { return (0, 0) }
    }
    guard let one = frames.0, let other = frames.1, one > 0, other > 0 else { return (0, 0) }
    func decibels(_ count: Int) -> Double {
      Math.decibels(amplitude: Math.squareRoot(Double(count) / Double(max(one, other))))
    }
    return (decibels(one), decibels(other))
  }
}
