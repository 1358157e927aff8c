import CRealtime

/// What happens to a stream that is played.
package enum StreamEvent: Sendable {
  /// It ran dry so far into its sound, and is silent until it has as many frames again as at the start.
  case ranDry(name: String, seconds: Double, refillSeconds: Double)
  /// It plays again after so many seconds.
  case playsAgain(name: String, seconds: Double)
}

/// Looks now and then whether the network keeps up, on the control thread.
struct StreamGapMonitor {
  private let feeds: [SourceFeed]
  private var begun: [Int]
  private var dryAt: [Double?]

  init(_ feeds: [SourceFeed]) {
    self.feeds = feeds.filter { $0.consumer.refillFrameCount > 0 }
    begun = self.feeds.map { _ in 0 }
    dryAt = self.feeds.map { _ in nil }
  }

  /// Reports what is new.
  mutating func look(at now: Double = fx_monotonic_seconds(), _ report: ((StreamEvent) -> Void)?) {
    for (index, feed) in feeds.enumerated() {
      let counts = feed.gapCounts
      if counts.begun > begun[index] {
        begun[index] = counts.begun
        dryAt[index] = dryAt[index] ?? now
        report?(
          .ranDry(
            name: feed.name, seconds: feed.takenSeconds,
            refillSeconds: feed.refillSeconds))
      }
      if let since = dryAt[index], counts.ended >= begun[index] {
        dryAt[index] = nil
        report?(.playsAgain(name: feed.name, seconds: now - since))
      }
    }
  }
}
