import CRealtime
package import FxFrames

/// What happens to a file that is written beside a performance.
package enum FileEvent: Sendable {
  /// It was not written fast enough: frames from this one on are silent in it. `count`: gaps since it was
  /// last reported.
  case overrun(name: String, frame: Int, count: Int)
  /// Nothing more is written to it.
  case failed(IOError)
}

/// Looks now and then whether the files keep up, on the control thread.
struct FileOverrunMonitor {
  private let feeds: [SinkFeed]
  private var gaps: [Int]
  private var toldAt: [Double]
  private var haveFailed: [Bool]
  /// Seconds between two lines about one file.
  private static let pause = 5.0

  init(_ feeds: [SinkFeed]) {
    self.feeds = feeds
    gaps = feeds.map { _ in 0 }
    toldAt = feeds.map { _ in -.infinity }
    haveFailed = feeds.map { _ in false }
  }

  /// Reports what is new.
  mutating func look(at now: Double = fx_monotonic_seconds(), _ report: ((FileEvent) -> Void)?) {
    for (index, feed) in feeds.enumerated() where !haveFailed[index] {
      if let error = feed.error {
        haveFailed[index] = true
        report?(.failed(error))
        continue
      }
      let (count, frame) = feed.begunGaps
      guard count > gaps[index], now - toldAt[index] >= Self.pause else { continue }
      report?(.overrun(name: feed.name, frame: frame, count: count - gaps[index]))
      gaps[index] = count
      toldAt[index] = now
    }
  }
}
