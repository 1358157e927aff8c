import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// Units of movement compared with closed forms.
@Suite struct `Units of movement` {
  private func renderer(
    _ id: String, channels: Int = 1, options: [String: OptionValue] = [:],
    parameters: [String: Double] = [:], tempo: Double = 120
  ) throws -> UnitRenderer {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == id })
    return try UnitRenderer(
      type, inputWidths: [channels], options: options, parameters: parameters,
      tempo: TempoMap(tempo: tempo))
  }

  private func sine(_ frequency: Double, _ time: Double) -> Double {
    sin(2 * .pi * frequency * time)
  }

  private func tone(_ frequency: Double, _ count: Int) -> [Float] {
    (0..<count).map { Float(sine(frequency, Double($0) / 48000)) }
  }

  /// The largest difference to a closed form, from a frame on.
  private func difference(
    _ output: [Float], from start: Int = 0, _ expected: (Double) -> Double
  ) -> Double {
    output.indices.dropFirst(start).map {
      abs(Double(output[$0]) - expected(Double($0) / 48000))
    }.max() ?? 0
  }

  @Test func `a tremolo's level is its closed form, and its channels are apart`() throws {
    let renderer = try renderer(
      "tremolo", channels: 2, parameters: ["rate": 7.3, "depth": 0.8, "spread": 0.25])
    let output = renderer.render(
      [[Float](repeating: 1, count: 48000)] + [Signal.constant(1, 48000)])
    #expect(difference(output[0]) { 0.6 + 0.4 * sine(7.3, $0) } < 1e-6)
    #expect(difference(output[1]) { 0.6 + 0.4 * sine(7.3, $0 + 0.25 / 7.3) } < 1e-6)
  }

  @Test func `a tremolo follows beats`() throws {
    let renderer = try renderer("tremolo", parameters: ["period": 0.5, "depth": 1], tempo: 150)
    let output = renderer.render([Signal.constant(1, 48000)])[0]
    #expect(difference(output) { 0.5 + 0.5 * sine(5, $0) } < 1e-6)
  }

  @Test func `a tremolo whose period changes continues smoothly and returns to the beat`() throws {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "tremolo" })
    let renderer = try UnitRenderer(
      type, inputWidths: [1], parameters: ["depth": 1],
      motions: ["period": .moving { $0 < 7000 ? 0.5 : 0.75 }])
    let output = renderer.render([Signal.constant(1, 72000)])[0]
    let steps = zip(output, output.dropFirst()).map { $1 - $0 }
    let bends = zip(steps, steps.dropFirst()).map { abs($1 - $0) }
    #expect((bends.max() ?? 1) < 1e-5)
    #expect(difference(output, from: 66000) { 0.5 + 0.5 * sine(2 / 0.75, $0) } < 1e-6)
  }

  @Test func `a square tremolo has no edge steeper than a thirtieth`() throws {
    let renderer = try renderer(
      "tremolo", options: ["shape": .text("square")], parameters: ["rate": 10, "depth": 1])
    let output = renderer.render([Signal.constant(1, 48000)])[0]
    let steps = zip(output, output.dropFirst()).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 1 / 30.0)
    #expect(output.min() == 0 && output.max() == 1)
  }

  @Test func `an auto-pan keeps the power and reaches both sides`() throws {
    let renderer = try renderer("autoPan", parameters: ["rate": 2, "depth": 1])
    let output = renderer.render([Signal.constant(1, 48000)])
    let powers = zip(output[0], output[1]).map { $0 * $0 + $1 * $1 }
    #expect(powers.allSatisfy { abs($0 - 1) < 1e-5 })
    #expect(output[0][6000] < 1e-3 && output[1][18000] < 1e-3)
  }

  @Test(arguments: [0.5, 5.0]) func `a vibrato is the sound with a varying delay`(_ rate: Double)
    throws
  {
    let renderer = try renderer("vibrato", parameters: ["rate": rate, "depth": 0.001])
    let output = renderer.render([tone(997, 48000)])[0]
    let late = difference(output, from: 1000) { time in
      sine(997, time - 0.005 - 0.001 * sine(rate, time))
    }
    #expect(late < 1e-3, "\(late)")
  }

  @Test func `the voices of a chorus are spread over a period`() throws {
    let renderer = try renderer(
      "chorus", options: ["voices": .number(4)],
      parameters: ["rate": 1.5, "depth": 0.002, "time": 0.01])
    let output = renderer.render([tone(500, 48000)])[0]
    let off = difference(output, from: 1000) { time in
      (0..<4).reduce(0.0) { sum, voice in
        sum + 0.5 * sine(500, time - 0.01 - 0.002 * sine(1.5, time + Double(voice) / 6))
      }
    }
    #expect(off < 1e-3, "\(off)")
  }

  @Test func `a flanger through zero passes the sound itself`() throws {
    let renderer = try renderer(
      "flanger", options: ["throughZero": .flag(true)],
      parameters: ["rate": 2, "depth": 0.004, "feedback": 0])
    let latency = Double(renderer.instance.latency) / 48000
    let output = renderer.render([tone(300, 48000)])[0]
    let off = difference(output, from: 1000) { time in
      sine(300, time - latency - 0.004 * sine(2, time))
    }
    #expect(off < 1e-3, "\(off)")
  }

  @Test(arguments: [2, 4, 12]) func `a phaser's notches lie where its all-passes turn`(
    _ stages: Int
  )
    throws
  {
    let renderer = try renderer(
      "phaser", options: ["stages": .number(Double(stages))],
      parameters: ["frequency": 1000, "depth": 0, "feedback": 0])
    let wet = renderer.render([Signal.impulse(8192)])[0]
    func level(_ frequency: Double) -> Double {
      var (real, imaginary) = (1.0, 0.0)
      for (frame, sample) in wet.enumerated() {
        let turn = 2 * Double.pi * frequency * Double(frame) / 48000
        real += Double(sample) * cos(turn)
        imaginary -= Double(sample) * sin(turn)
      }
      return 20 * log10(0.5 * (real * real + imaginary * imaginary).squareRoot())
    }
    for notch in 0..<stages / 2 {
      // Each of them turns by an odd share of half a circle.
      let turn = Double.pi * Double(2 * notch + 1) / Double(stages)
      let warped = tan(turn / 2) * tan(.pi * 1000 / 48000)
      #expect(level(48000 / .pi * atan(warped)) < -60)
    }
    #expect(abs(level(10)) < 0.5)
  }

  @Test func `a phaser with feedback is stable however it moves`() throws {
    let renderer = try renderer(
      "phaser", options: ["shape": .text("square"), "stages": .number(12)],
      parameters: ["rate": 190, "depth": 4, "feedback": 0.95])
    let output = renderer.render([Signal.noise(96000)])[0]
    #expect((output.map(abs).max() ?? 0) < 40)
  }

  @Test func `a ring modulator makes the sum and the difference`() throws {
    let renderer = try renderer("ringModulator", parameters: ["frequency": 440])
    let output = renderer.render([tone(1000, 48000)])[0]
    #expect(
      difference(output) { time in
        0.5 * (cos(2 * .pi * 560 * time) - cos(2 * .pi * 1440 * time))
      } < 1e-5)
  }
}
