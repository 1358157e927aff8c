import FxAudio

/// The fingerprint of a node's input and output, small enough to store beside a golden.
package struct NodeFingerprint: Sendable, Equatable {
  /// The input or the output of a node.
  package struct Side: Sendable, Equatable {
    package var channelCount: Int
    /// 32 bits for each window of `NodeFingerprints.windowFrameCount` frames, of all channels.
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
  /// The ids of the nodes that it receives from, in the order of the graph.
  package var sources: [String]
  /// For sources through a connection that closes a loop: its delay in frames, by id.
  package var delays: [String: Int] = [:]
  /// nil for a source; for a sink `output` is nil.
  package var input: Side?
  package var output: Side?
  /// False if two renders of the same build differed when the golden was made.
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

/// The fingerprints of a render in rendering order, sources first and sinks last.
package struct NodeFingerprints: Sendable, Equatable {
  package var windowFrameCount: Int
  package var nodes: [NodeFingerprint]
  /// Frames that each node processed; nil if not stored.
  package var frameCount: Int?
  /// Limits in frames: products of these with window counts cannot overflow.
  static let longestWindow = 1 << 30
  static let longestDelay = 1_000_000_000_000

  package init(windowFrameCount: Int, nodes: [NodeFingerprint]) {
    self.windowFrameCount = windowFrameCount
    self.nodes = nodes
  }
}

extension NodeFingerprints {
  /// The decibels, at most 0, to add to the levels of each render, so that both are means over the
  /// longer render. Without this, silence after the shorter sound would not lower its mean.
  static func lowering(then: NodeFingerprints, now: NodeFingerprints) -> (
    then: Double, now: Double
  ) {
    func windows(_ fingerprints: NodeFingerprints) -> Int? {
      let counts = fingerprints.nodes.compactMap { ($0.output ?? $0.input)?.windows.count }
      return counts.max().map { $0 * fingerprints.windowFrameCount }
    }
    var frames = (then.frameCount, now.frameCount)
    if frames.0 == nil || frames.1 == nil {
      frames = (windows(then), windows(now))
      // An incomplete last window is not stored.
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
