@testable import FxPlaying
import FxSoundTestSupport
import Testing

/// Events that may come many times a second, and those of late sources.
struct LiveEventTests {
  private final class Reports {
    var lines: [(event: DeviceEvent, count: Int)] = []
    var silences: [(frame: Int, count: Int)] = []
  }

  private let xrun = DeviceEvent.xrun(.playback, .system)

  @Test func `xruns are reported at once and then once a second, with their number`() {
    let reports = Reports()
    let report = { (event: DeviceEvent, count: Int) in reports.lines.append((event, count)) }
    var limiter = DeviceEventLimiter()
    for tenth in 0..<25 {
      limiter.take(xrun, report)
      limiter.take(xrun, report)
      limiter.look(at: 100 + Double(tenth) / 10, report)
    }
    #expect(reports.lines.map(\.count) == [2, 20, 20])
    limiter.flush(report)
    #expect(reports.lines.map(\.count).reduce(0, +) == 50)
  }

  @Test func `causes that alternate are one line each a second, and other events keep their order`()
  {
    let reports = Reports()
    let report = { (event: DeviceEvent, count: Int) in reports.lines.append((event, count)) }
    var limiter = DeviceEventLimiter()
    limiter.look(at: 100, report)
    for _ in 0..<10 {
      limiter.take(xrun, report)
      limiter.take(.xrun(.capture, .slowChain), report)
    }
    limiter.take(.suspended(seconds: 1), report)
    limiter.look(at: 100.1, report)
    #expect(
      reports.lines.map(\.event) == [
        xrun, .xrun(.capture, .slowChain), .suspended(seconds: 1),
      ])
    #expect(reports.lines.map(\.count) == [10, 10, 1])
  }

  @Test func `a silence in place of a source is reported once, when it is over`() throws {
    let feed = try SourceFeed(ArraySource([[Float](repeating: 0, count: 10)]))
    let reports = Reports()
    let report = { (event: StreamEvent) in
      if case .notReady(_, let frame, let count) = event { reports.silences.append((frame, count)) }
    }
    var monitor = LateSourceMonitor([feed])
    monitor.look(at: 1, report)
    feed.consumer.note(missing: 100, at: 5000)
    monitor.look(at: 2, report)
    feed.consumer.note(missing: 200, at: 5100)
    monitor.look(at: 3, report)
    #expect(reports.silences.isEmpty)
    feed.consumer.note(missing: 0, at: 5300)
    monitor.look(at: 4, report)
    monitor.look(at: 5, report)
    #expect(reports.silences.map(\.frame) == [5000] && reports.silences.map(\.count) == [300])
    // The end reports a silence that lasts.
    feed.consumer.note(missing: 7, at: 9000)
    monitor.look(at: 6, isEnd: true, report)
    #expect(reports.silences.map(\.frame) == [5000, 9000])
    #expect(reports.silences.map(\.count) == [300, 7])
  }

  @Test func `many short silences are one report a second`() throws {
    let feed = try SourceFeed(ArraySource([[Float](repeating: 0, count: 10)]))
    let reports = Reports()
    let report = { (event: StreamEvent) in
      if case .notReady(_, let frame, let count) = event { reports.silences.append((frame, count)) }
    }
    var monitor = LateSourceMonitor([feed])
    for step in 0..<20 {
      feed.consumer.note(missing: 10, at: 100 * step)
      feed.consumer.note(missing: 0, at: 100 * step + 10)
      monitor.look(at: Double(step) / 10, report)
    }
    monitor.look(at: 2, isEnd: true, report)
    #expect(reports.silences.map(\.frame) == [0, 100, 1100])
    #expect(reports.silences.map(\.count) == [10, 100, 90])
  }
}
