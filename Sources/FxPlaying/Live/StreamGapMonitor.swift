import CRealtime

/// Events of a stream during playback.
package enum StreamEvent: Sendable {
  /// The stream ran dry at this time of its sound. It is silent until it has `refillSeconds` of
  /// sound again.
  case ranDry(name: String, seconds: Double, refillSeconds: Double)
  /// The stream plays again after a silence of this many seconds.
  case playsAgain(name: String, seconds: Double)
  /// A file or a pipe was not ready: silence took the place of its frames, from `frame` of the
  /// performance on.
  case notReady(name: String, frame: Int, frameCount: Int)
}

/// Polls on the control thread whether the network keeps up.
struct StreamGapMonitor {
  private let feeds: [SourceFeed]
  private var begun: [Int]
  /// When each feed ran dry, and how much of its sound was taken then.
  private var dryAt: [(time: Double, seconds: Double)?]

  init(_ feeds: [SourceFeed]) {
    self.feeds = feeds.filter { $0.consumer.refillFrameCount > 0 }
    begun = self.feeds.map { _ in 0 }
    dryAt = self.feeds.map { _ in nil }
  }

  /// Reports events since the last call.
  mutating func look(at now: Double = fx_monotonic_seconds(), _ report: ((StreamEvent) -> Void)?) {
    for (index, feed) in feeds.enumerated() {
      let counts = feed.gapCounts
      if counts.begun > begun[index] {
        begun[index] = counts.begun
        dryAt[index] = dryAt[index] ?? (now, feed.takenSeconds)
        report?(
          .ranDry(
            name: feed.name, seconds: feed.takenSeconds,
            refillSeconds: feed.refillSeconds))
      }
      // A stream that ended while it was silent does not play again.
      if let since = dryAt[index], counts.ended >= begun[index], feed.takenSeconds > since.seconds {
        dryAt[index] = nil
        report?(.playsAgain(name: feed.name, seconds: now - since.time))
      }
    }
  }
}
