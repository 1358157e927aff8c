import CRealtime

/// Polls on the control thread whether files and pipes are ready when their frames are due. It
/// reports each silence in their place once, when it is over; several within a second together.
struct LateSourceMonitor {
  private struct Watched {
    let feed: SourceFeed
    /// Missing frames that were reported, and when.
    var reportedCount = 0
    var reportedAt = -Double.infinity
    /// Where the silence that was not reported yet begins.
    var from: Int?
  }

  private var watched: [Watched]

  /// Streams with a buffer of their own are reported by `StreamGapMonitor`.
  init(_ feeds: [SourceFeed]) {
    watched = feeds.filter { $0.consumer.refillFrameCount == 0 }.map { Watched(feed: $0) }
  }

  /// - Parameter isEnd: also reports a silence that lasts.
  mutating func look(
    at now: Double = fx_monotonic_seconds(), isEnd: Bool = false,
    _ report: ((StreamEvent) -> Void)?
  ) {
    for index in watched.indices {
      let missing = watched[index].feed.consumer.missing
      let count = missing.count - watched[index].reportedCount
      guard count > 0 else { continue }
      let from = watched[index].from ?? missing.from
      watched[index].from = from
      guard isEnd || !missing.lasts && now - watched[index].reportedAt >= 1 else { continue }
      report?(.notReady(name: watched[index].feed.name, frame: from, frameCount: count))
      watched[index].reportedCount = missing.count
      watched[index].reportedAt = now
      watched[index].from = nil
    }
  }
}
