import CRealtime
package import FxAudio
import FxMedia

/// Events of a file that is written during live playback.
package enum FileEvent: Sendable {
  /// The disk was too slow: the file has silence from this frame on. `count`: gaps since the last
  /// report.
  case overrun(name: String, frame: Int, count: Int)
  /// Nothing more is written to the file.
  case failed(Failure)
  /// A recording started, with this frame of the sound.
  case started(name: String, frame: Int)
  /// A recording stopped before `frame`, after `frameCount` frames.
  case stopped(name: String, frame: Int, frameCount: Int)
}

/// Polls on the control thread whether the files keep up, and which recordings started or stopped.
struct FileOverrunMonitor {
  private let feeds: [SinkFeed]
  private var gaps: [Int]
  private var toldAt: [Double]
  private var haveFailed: [Bool]
  private var starts: [Int]
  private var stops: [Int]
  /// Seconds between two reports about the same file.
  private static let pause = 5.0

  init(_ feeds: [SinkFeed]) {
    self.feeds = feeds
    gaps = feeds.map { _ in 0 }
    toldAt = feeds.map { _ in -.infinity }
    haveFailed = feeds.map { _ in false }
    starts = haveFailed.map { _ in 0 }
    stops = starts
  }

  /// Reports events since the last call.
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
