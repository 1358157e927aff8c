import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// The loudness unit without a measurement beforehand, as in a live performance.
@Suite struct AutomaticGainTests {
  private func render(_ input: [Float], target: Double) throws -> [Float] {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "loudness" })
    return try UnitRenderer(
      type, inputWidths: [1], parameters: ["target": target], sampleRate: 8000
    ).render([input])[0]
  }

  private func level(_ samples: ArraySlice<Float>) -> Double {
    let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return 10 * Math.log(sum / Double(samples.count)) / Math.log(10)
  }

  @Test func `the level nears the target slowly and stays in pauses`() throws {
    let quiet = Signal.noise(80000, seed: 1, amplitude: 0.02)
    let pause = Signal.silence(40000)
    let output = try render(quiet + pause + quiet, target: -30)
    let before = level(quiet[0..<8000])
    // At most 1.5 dB a second, and no more than what is missing.
    let after = level(output[72000..<80000])
    #expect(level(output[0..<4000]) - before < 1.5)
    #expect(after - before > 5 && after - before < 15)
    // The gain has not moved in the pause.
    #expect(abs(level(output[120000..<124000]) - after) < 1.5)
  }

  @Test func `a loud sound is turned down faster`() throws {
    let loud = Signal.noise(48000, seed: 2, amplitude: 0.9)
    let output = try render(loud, target: -30)
    #expect(level(output[40000..<48000]) < level(loud[40000..<48000]) - 15)
  }
}
