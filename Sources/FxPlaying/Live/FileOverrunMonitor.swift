import CRealtime
package import FxFrames
import FxMedia

/// What happens to a file that is written beside a performance.
package enum FileEvent: Sendable {
  /// It was not written fast enough: frames from this one on are silent in it. `count`: gaps since it was
  /// last reported.
  case overrun(name: String, frame: Int, count: Int)
  /// Nothing more is written to it.
  case failed(IOError)
  /// A recording has started, with this frame of the sound.
  case started(name: String, frame: Int)
  /// It has stopped behind so many frames.
  case stopped(name: String, frame: Int, frameCount: Int)
}

/// Looks now and then whether the files keep up, and which recordings have started and stopped, on the control thread.
struct FileOverrunMonitor {
  private let feeds: [SinkFeed]
  private var gaps: [Int]
  private var toldAt: [Double]
  private var haveFailed: [Bool]
  private var starts: [Int]
  private var stops: [Int]
  /// Seconds between two lines about one file.
  private static let pause = 5.0

  init(_ feeds: [SinkFeed]) {
    self.feeds = feeds
    gaps = feeds.map { _ in 0 }
    toldAt = feeds.map { _ in -.infinity }
    haveFailed = feeds.map { _ in false }
    starts = haveFailed.map { _ in 0 }
    stops = starts
  }

  /// Reports what is new.
  mutating func look(at now: Double = fx_monotonic_seconds(), _ report: ((FileEvent) -> Void)?) {
    for (index, feed) in feeds.enumerated() where !haveFailed[index] {
      if let error = feed.error {
        haveFailed[index] = true
        report?(.failed(error))
        continue
      }
      lookAtRecording(of: feed, index, report)
      let (count, frame) = feed.begunGaps
      guard count > gaps[index], now - toldAt[index] >= Self.pause else { continue }
      report?(.overrun(name: feed.name, frame: frame, count: count - gaps[index]))
      gaps[index] = count
      toldAt[index] = now
    }
  }

  private mutating func lookAtRecording(
    of feed: SinkFeed, _ index: Int, _ report: ((FileEvent) -> Void)?
  ) {
    guard let (begun, ended, last) = feed.recording?.progress, let last else { return }
    if begun > starts[index] { report?(.started(name: feed.name, frame: last.startFrame)) }
    if ended > stops[index], let count = last.frameCount {
      report?(
        .stopped(name: feed.name, frame: last.startFrame + count, frameCount: count))
    }
    (starts[index], stops[index]) = (begun, ended)
  }
}
