import FxAudio
import FxTestSupport
@testable import FxUnits
import Glibc
import Testing

/// The modulators beside the LFO.
@Suite struct ModulatorTests {
  private func envelope(
    _ parameters: [String: Double], rms: Bool = false, channels: Int = 1
  ) throws -> UnitRenderer {
    try UnitRenderer(
      UnitType(Envelope.self), inputWidths: [channels],
      options: ["detector": .text(rms ? "rms" : "peak"), "window": .number(0.05)],
      parameters: parameters)
  }

  @Test func `an envelope covers 63 % of a change in its attack and release times`() throws {
    let input = Signal.constant(0.5, 24000) + Signal.silence(24000)
    let output = try envelope(["attack": 0.1, "hold": 0, "release": 0.2]).render([input])
    let share = 1 - Glibc.exp(-1.0)
    #expect(abs(Double(output[0][4799]) - 0.5 * share) < 1e-4)
    let top = Double(output[0][23999])
    #expect(abs(Double(output[0][24000 + 9599]) - top * (1 - share)) < 1e-4)
    // The same in decibels.
    #expect(abs(Double(output[1][23999]) - 20 * Glibc.log10(top)) < 1e-4)
    #expect(output[1][0] > -61 && (output[1].min() ?? -100) >= -60)
  }

  @Test func `an envelope holds a peak for its hold time`() throws {
    let input = Signal.constant(0.8, 100) + Signal.silence(5000)
    let output = try envelope(["attack": 0, "hold": 0.05, "release": 0]).render([input])[0]
    #expect(output[99 + 2400] == 0.8)
    #expect(output[100 + 2400] == 0)
  }

  @Test func `the RMS of a sine is 3 dB below its peak, and gain adds to it`() throws {
    let tone = Signal.tone(500, decibels: -20, 48000)
    let parameters = ["attack": 0.0, "hold": 0, "release": 0, "gain": 14]
    let rms = try envelope(parameters, rms: true).render([tone])
    #expect(abs(rms[1][47000] - -9.0103) < 0.1)
    let peak = try envelope(parameters).render([tone])
    #expect(abs((peak[1][40000..<48000].max() ?? 0) - -6) < 0.01)
  }

  @Test func `an envelope follows the louder channel and stops at full scale`() throws {
    let output = try envelope(["attack": 0, "hold": 1], channels: 2).render([
      Signal.constant(0.1, 100), Signal.constant(-0.4, 50) + Signal.constant(3, 50),
    ])
    #expect(output[0][49] == 0.4 && output[0][99] == 1 && output[1][99] == 0)
  }

  private func steps(
    _ values: [Double], _ parameters: [String: Double], startFrame: Int = 0
  ) throws -> [Float] {
    var all = parameters
    for (index, value) in values.enumerated() { all["steps.\(index + 1).value"] = value }
    return try UnitRenderer(
      UnitType(Steps.self), inputWidths: [], items: values.map { _ in ListItem() },
      parameters: all, startFrame: startFrame
    ).render([Signal.silence(48000)])[0]
  }

  @Test func `steps follow one another and begin again`() throws {
    let output = try steps([0.1, -0.5, 1], ["rate": 10])
    for frame in 0..<48000 {
      #expect(output[frame] == [0.1, -0.5, 1][frame / 4800 % 3])
    }
    #expect(try steps([0.1, -0.5, 1], ["rate": 10], startFrame: -1)[0] == 1)
    #expect(try steps([], ["rate": 10]).allSatisfy { $0 == 0 })
  }

  @Test func `a step in beats begins on the beat, and glides for a share of it`() throws {
    // Half a beat of 120 a minute is 12000 frames.
    let output = try steps([0, 1], ["period": 0.5, "glide": 0.5])
    #expect(output[12000] == 0 && output[11999] == 0)
    #expect(abs(output[15000] - 0.5) < 1e-6 && output[18000] == 1 && output[23999] == 1)
    #expect(output[24000] == 1 && output[30000] == 0)
  }

  private func random(_ seed: UInt64, _ smoothing: Double, blocks: [Int]) throws -> [Float] {
    try UnitRenderer(
      UnitType(RandomValue.self), inputWidths: [],
      parameters: ["rate": 480, "smoothing": smoothing], seed: seed
    ).render([Signal.silence(96000)], blocks: blocks)[0]
  }

  @Test func `random values are even from -1 to 1 and the same for a seed`() throws {
    let output = try random(3, 0, blocks: [256])
    #expect(try random(3, 0, blocks: [7]) == output)
    #expect(try random(4, 0, blocks: [256]) != output)
    let values = stride(from: 0, to: 96000, by: 100).map { Double(output[$0]) }
    let mean = values.reduce(0, +) / 960
    let square = values.map { $0 * $0 }.reduce(0, +) / 960
    #expect(abs(mean) < 0.08 && abs(square - 1.0 / 3) < 0.04)
    // At a smoothing of 1 it moves all the time.
    let smooth = try random(3, 1, blocks: [256])
    #expect(smooth[100] == output[0] && smooth[50] != output[0])
  }

  private func expression(
    _ formula: String, _ inputs: [[Float]] = [], low: Double = -1, high: Double = 1,
    count: Int = 100
  ) throws -> [Float] {
    let widths = (0..<4).map { $0 < inputs.count ? 1 : 0 }
    return try UnitRenderer(
      UnitType(Expression.self), inputWidths: widths,
      options: ["formula": .text(formula), "low": .number(low), "high": .number(high)]
    ).render(inputs.isEmpty ? [Signal.silence(count)] : inputs)[0]
  }

  @Test func `an expression is calculated frame by frame within its range`() throws {
    let (a, b) = (Signal.noise(500, seed: 1), Signal.noise(500, seed: 2))
    let output = try expression("clamp(a * 2 - b / 4, -0.5, 0.6)", [a, b])
    for frame in 0..<500 {
      let wanted = min(max(Double(a[frame]) * 2 - Double(b[frame]) / 4, -0.5), 0.6)
      #expect(output[frame] == Float(wanted))
    }
    #expect(try expression("7", low: 0, high: 5)[3] == 5)
    #expect(try expression("0 / 0", low: 0, high: 5)[3] == 0)
    #expect(try expression("log2(-1)", low: -3, high: 5)[3] == -3)
  }

  @Test func `an expression knows time, beat and tempo`() throws {
    let output = try expression("time + beat * 10 + tempo * 100", high: 1e6, count: 24001)
    #expect(output[24000] == 12010.5)
    let sine = try expression("sin(2 * pi * 440 * time)", count: 48000)
    let tone = Signal.tone(440, 48000)
    for frame in stride(from: 0, to: 48000, by: 7) {
      #expect(abs(sine[frame] - tone[frame]) < 1e-6)
    }
  }
}
