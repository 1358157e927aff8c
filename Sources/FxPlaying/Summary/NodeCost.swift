package import FxAudio

/// The processing time of blocks, as shares of a block's duration; 1 is the whole duration.
public struct BlockLoad: Sendable, Hashable {
  /// The mean since the previous snapshot.
  public var now: Double
  /// Since the start.
  public var mean: Double
  public var p50: Double
  public var p99: Double
  public var p999: Double
  public var maximum: Double

  public init(
    now: Double, mean: Double, p50: Double, p99: Double, p999: Double, maximum: Double
  ) {
    self.now = now
    self.mean = mean
    self.p50 = p50
    self.p99 = p99
    self.p999 = p999
    self.maximum = maximum
  }

  /// `now` is in seconds per block; nil for the mean.
  package init(_ summary: TimeHistogram.Summary, now: Double? = nil, blockSeconds: Double) {
    let share = blockSeconds > 0 ? 1 / blockSeconds : 0
    self.init(
      now: (now ?? summary.mean) * share, mean: summary.mean * share, p50: summary.p50 * share,
      p99: summary.p99 * share, p999: summary.p999 * share, maximum: summary.maximum * share)
  }
}

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
  public let load: BlockLoad

  public init(
    node: String, unit: String, share: Double, nanosecondsPerFrame: Double,
    load: BlockLoad
  ) {
    self.node = node
    self.unit = unit
    self.share = share
    self.nanosecondsPerFrame = nanosecondsPerFrame
    self.load = load
  }
}
