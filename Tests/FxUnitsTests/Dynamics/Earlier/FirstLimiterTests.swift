import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct FirstLimiterTests {
  private func limiter(
    channels: Int = 1, lookahead: Double = 0.005, parameters: [String: Double] = [:],
    motions: [String: UnitRenderer.Motion] = [:]
  ) throws -> UnitRenderer {
    try UnitRenderer(
      UnitType(FirstLimiter.self), inputWidths: [channels],
      options: ["lookahead": .number(lookahead)], parameters: parameters, motions: motions,
      sampleRate: 8000)
  }

  private func amplitude(_ decibels: Double) -> Float {
    Float(Math.amplitude(decibels: decibels))
  }

  private static let loud: [String: [Float]] = [
    "noise": Signal.noise(3000, amplitude: 16),
    "clicks": (0..<3000).map { $0 % 97 == 5 || $0 % 411 == 0 ? ($0 % 2 == 0 ? 9 : -16) : 0.2 },
    "square": (0..<3000).map { $0 / 40 % 2 == 0 ? 16 : -16 },
    "tone": Signal.tone(313, decibels: 24, sampleRate: 8000, 3000),
  ]

  @Test(arguments: ["noise", "clicks", "square", "tone"], [0.0005, 0.005, 0.02])
  func `no sample exceeds the ceiling`(name: String, lookahead: Double) throws {
    let unit = try limiter(lookahead: lookahead, parameters: ["ceiling": -1, "release": 0.01])
    let output = unit.render([try #require(Self.loud[name])])[0]
    let ceiling = amplitude(-1)
    #expect(Measured.peak(output) <= ceiling)
    // The loudest passages still reach it.
    #expect(Measured.peakLevel(output) > -1.1)
  }

  @Test func `a signal under the ceiling passes bit for bit, delayed by the latency`() throws {
    let unit = try limiter(channels: 2)
    #expect(unit.instance.latency == 40)
    let input = [Signal.noise(500, seed: 3, amplitude: 0.89), Signal.noise(500, amplitude: 0.5)]
    let output = unit.render(input)
    for channel in 0..<2 {
      #expect(output[channel] == Signal.silence(40) + input[channel].dropLast(40))
    }
  }

  @Test func `the gain falls and rises in small steps`() throws {
    // A constant with one tall peak: the output is the gain itself, and the peak in its place.
    var input = Signal.constant(0.5, 1600)
    input[400] = 8
    let unit = try limiter(parameters: ["ceiling": 0, "release": 0.02])
    var gain = unit.render([input])[0]
    #expect(abs(gain[440] - 1) < 1e-4)
    gain[440] = (gain[439] + gain[441]) / 2
    // 41 frames of a triangle: no step above twice the mean one.
    #expect(Measured.largestStep(Array(gain[41...])) < 2.2 * 0.4375 / 41)
    #expect(gain[439] < 0.08)
  }

  @Test func `the gain is back at exactly one some time after a peak`() throws {
    var input = Signal.constant(0.5, 3000)
    input[100] = 4
    let unit = try limiter(parameters: ["release": 0.02])
    #expect(unit.render([input])[0].suffix(800) == Signal.constant(0.5, 800)[...])
  }

  @Test func `the way back up is covered to 63 percent after the release time`() throws {
    let unit = try limiter(
      lookahead: 0.0005, parameters: ["ceiling": 0, "release": 0.1])
    _ = unit.render([Signal.constant(4, 200)])
    // The gain starts to rise when the last loud frame has left.
    let output = unit.render([Signal.constant(0.5, 900)])[0]
    let gain = output[4 + 800 + 2] / 0.5
    #expect(abs(gain - (0.25 + 0.75 * 0.632)) < 0.01)
  }

  @Test func `channels are reduced equally`() throws {
    let unit = try limiter(channels: 2, parameters: ["ceiling": 0])
    let output = unit.render([Signal.constant(4, 200), Signal.constant(0.4, 200)])
    #expect(abs(output[0][199] - 1) < 1e-6)
    #expect(abs(output[1][199] - 0.1) < 1e-6)
    #expect(abs(unit.instance.readings[0] - 12.04) < 0.01)
  }

  @Test func `the input gain drives into the ceiling`() throws {
    let unit = try limiter(parameters: ["ceiling": -6, "gain": 20])
    let output = unit.render([Signal.tone(500, decibels: -10, sampleRate: 8000, 800)])[0]
    #expect(abs(Measured.peakLevel(Array(output[200...])) + 6) < 0.05)
  }

  @Test func `each frame obeys the ceiling of its own time`() throws {
    let unit = try limiter(motions: ["ceiling": .line(from: 0, to: -24, frames: 200..<210)])
    let output = unit.render([Signal.noise(800, amplitude: 3)])[0]
    let low = amplitude(-24)
    #expect(Measured.peak(Array(output[..<240])) > 0.5)
    #expect(Measured.peak(Array(output[250...])) <= low)
  }

  @Test func `silence stays silence, and so do infinities and not-a-number`() throws {
    let unit = try limiter()
    #expect(unit.render([Signal.silence(300)])[0] == Signal.silence(300))
    var input = Signal.constant(0.3, 400)
    input[100] = .infinity
    input[200] = -.infinity
    input[300] = .nan
    let output = unit.render([input])[0]
    let isFinite = output.allSatisfy(\.isFinite)
    #expect(isFinite && Measured.peak(output) <= 0.3)
    #expect(output[140] == 0 && output[240] == 0 && output[340] == 0)
  }

  @Test func `the output does not depend on block sizes`() throws {
    let unit = try limiter(
      channels: 2,
      motions: [
        "ceiling": .line(from: 0, to: -20, frames: 100..<333),
        "release": .line(from: 0.002, to: 0.1, frames: 30..<500),
        "gain": .line(from: 0, to: 12, frames: 20..<300),
      ])
    let input = (0..<2).map { Signal.noise(700, seed: UInt64($0), amplitude: 2) }
    let whole = unit.render(input, blocks: [700])
    for blocks in [[1], [7], [5, 64, 1, 200, 16]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }

  @Test func `revision 1 keeps its bits`() throws {
    let unit = try limiter(channels: 2, parameters: ["gain": 6])
    let input = (0..<2).map { Signal.noise(2000, seed: UInt64($0), amplitude: 2) }
    #expect(Measured.fingerprint(unit.render(input)) == 11_446_060_140_101_252_809)
  }
}
