import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct SingleWindowPitchTests {
  /// Renders by pitch@1 were recorded before revision 2 was made.
  @Test(arguments: [("move", "short"), ("keep", "medium"), ("keep", "long")])
  func `revision 1 keeps its bits`(_ formants: String, _ window: String) throws {
    let renderer = try UnitRenderer(
      UnitType(SingleWindowPitch.self), inputWidths: [2],
      options: ["formants": .text(formants), "window": .text(window)],
      motions: ["shift": .line(from: -5, to: 9, frames: 2000..<4000)], sampleRate: 16000)
    let output = renderer.render([
      Signal.sweep(from: 60, to: 6000, sampleRate: 16000, 8000), Signal.noise(8000),
    ])
    #expect(Measured.fingerprint(output) == Self.recorded["\(formants), \(window)"])
  }

  private static let recorded: [String: UInt64] = [
    "move, short": 17_304_080_834_321_935_658, "keep, medium": 8_644_367_952_627_758_591,
    "keep, long": 13_304_321_158_099_198_459,
  ]
}
