@testable import FxEngine
import Testing

/// The value of an automation line at a time.
struct AutomationValueTests {
  private let line = Automation(
    slot: 0,
    points: [
      .init(seconds: 1, value: 10), .init(seconds: 2, value: 20, curve: .linear),
      .init(seconds: 2, value: 5), .init(seconds: 4, value: 80, curve: .exponential),
    ])

  @Test(arguments: [
    (0.0, 3.0), (0.99, 3), (1, 10), (1.5, 15), (2, 5), (3, 20), (4, 80), (1e9, 80),
  ])
  func `a value lies between the points around it, the later of two at one time first`(
    _ seconds: Double, _ value: Double
  ) {
    #expect(abs(line.value(at: seconds, from: 3) - value) < 1e-4)
  }

  @Test func `a line without points has its start value`() {
    #expect(Automation(slot: 0, points: []).value(at: 1, from: 7) == 7)
  }
}
