@testable import FxKit
@testable import FxRun
import Testing

/// Many xruns in few lines.
@Suite struct XrunLineTests {
  private let notice = DeviceNotice(.xrun, "xrun: 'default' ran dry")

  @Test func `the first xrun has a line at once, and those of five seconds one together`() {
    var lines = XrunLines()
    var printed: [String] = []
    // Ten a second for twelve seconds.
    for step in 0..<120 {
      let now = 100 + Double(step) / 10
      printed += [lines.due(at: now), lines.line(notice, at: now)].compactMap { $0 }
    }
    printed += [lines.rest(at: 112)].compactMap { $0 }
    #expect(
      printed == [
        "xrun: 'default' ran dry", "xrun: 49 more in the last 5.0 s",
        "xrun: 50 more in the last 5.0 s", "xrun: 20 more in the last 2.0 s",
      ])
    #expect(lines.rest(at: 113) == nil)
  }

  @Test func `rare xruns have a line each`() {
    var lines = XrunLines()
    for second in stride(from: 0.0, to: 60, by: 10) {
      #expect(lines.due(at: second) == nil)
      #expect(lines.line(notice, at: second) == "xrun: 'default' ran dry")
    }
  }
}
