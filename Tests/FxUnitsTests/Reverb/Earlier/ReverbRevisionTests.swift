import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct ReverbRevisionTests {
  /// A render in which every parameter of the losses moves, or none.
  private func fingerprint(_ name: String, moves: Bool) throws -> UInt64 {
    let motions: [String: UnitRenderer.Motion] = [
      "decay": .line(from: 0.1, to: 6, frames: 2000..<2600),
      "damping": .line(from: 900, to: 4000, frames: 3000..<4000),
      "highDecay": .line(from: 1, to: 0.1, frames: 2500..<5000),
      "lowDecay": .line(from: 0.25, to: 2.5, frames: 4000..<5500),
      "crossover": .line(from: 900, to: 60, frames: 5000..<5400),
    ]
    let renderer = try UnitRenderer(
      builtIn(name), inputWidths: [2], options: ["size": .number(1.7)],
      motions: moves ? motions : [:], sampleRate: 16000)
    return Measured.fingerprint(
      renderer.render([
        Signal.sweep(from: 60, to: 6000, sampleRate: 16000, 12000), Signal.noise(12000),
      ]))
  }

  /// Renders by revision 3 were recorded before revision 4 was made.
  @Test func `revision 3 keeps its bits when parameters move`() throws {
    let (moved, still) = try (
      fingerprint("reverb@3", moves: true), fingerprint("reverb@3", moves: false)
    )
    #expect(moved == 14_740_941_639_858_066_345)
    #expect(still == 2_612_413_319_732_518_346)
  }

  @Test func `revision 4 has the bits of revision 3 when nothing moves, and others when it does`()
    throws
  {
    #expect(
      try fingerprint("reverb@4", moves: false) == fingerprint("reverb@3", moves: false))
    #expect(try fingerprint("reverb@4", moves: true) != fingerprint("reverb@3", moves: true))
  }
}
