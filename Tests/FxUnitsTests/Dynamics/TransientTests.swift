import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct TransientTests {
  private func shaper(
    channels: Int = 1, parameters: [String: Double] = [:],
    motions: [String: UnitRenderer.Motion] = [:]
  ) throws -> UnitRenderer {
    try UnitRenderer(
      UnitType(Transient.self), inputWidths: [channels], parameters: parameters, motions: motions)
  }

  /// A tone that is struck after a second of a soft one, and dies away.
  private func stroke(_ decibels: Double) -> [Float] {
    let soft = Signal.tone(1000, decibels: decibels - 40, 48000)
    let loud = Signal.tone(1000, decibels: decibels, 24000).enumerated().map { frame, sample in
      sample * Float(Math.exp(-Double(frame) / 4800))
    }
    return soft + loud
  }

  private func gain(_ output: [Float], over input: [Float], _ frames: Range<Int>) -> Double {
    Measured.rmsLevel(output[frames]) - Measured.rmsLevel(input[frames])
  }

  @Test func `without an amount it passes every bit`() throws {
    let input = (0..<2).map { Signal.noise(3000, seed: UInt64($0)) }
    #expect(try shaper(channels: 2).render(input) == input)
  }

  @Test(arguments: [12.0, 6, -6, -12])
  func `the attack raises or lowers the beginning alone`(_ amount: Double) throws {
    let input = stroke(-20)
    let output = try shaper(parameters: ["attack": amount]).render([input])[0]
    #expect(abs(gain(output, over: input, 48048..<48240) - amount) < 0.15 * abs(amount))
    #expect(abs(gain(output, over: input, 24000..<47900)) < 0.1)
    #expect(abs(gain(output, over: input, 57600..<60000)) < 0.3)
  }

  @Test(arguments: [12.0, -12])
  func `the sustain raises or lowers the end alone`(_ amount: Double) throws {
    let input = stroke(-20)
    let output = try shaper(parameters: ["sustain": amount]).render([input])[0]
    #expect(abs(gain(output, over: input, 48000..<48240)) < 0.5)
    #expect(abs(gain(output, over: input, 57600..<60000) - amount) < 0.3 * abs(amount))
  }

  @Test(arguments: ["attack", "sustain"])
  func `a stroke is shaped equally at every level`(_ parameter: String) throws {
    func gains(_ decibels: Double) throws -> [Double] {
      let input = stroke(decibels)
      let output = try shaper(parameters: [parameter: 12]).render([input])[0]
      return stride(from: 48000, to: 70000, by: 960).map {
        gain(output, over: input, $0..<$0 + 960)
      }
    }
    for (loud, soft) in zip(try gains(-10), try gains(-70)) { #expect(abs(loud - soft) < 0.02) }
  }

  @Test(arguments: [50.0, 440, 8000]) func `a steady tone stays as it is`(_ hertz: Double) throws {
    let input = Signal.tone(hertz, decibels: -12, 96000)
    let output = try shaper(parameters: ["attack": 12, "sustain": 12]).render([input])[0]
    #expect(abs(gain(output, over: input, 48000..<96000)) < 0.3)
  }

  @Test func `a longer attack time makes a longer beginning`() throws {
    let input = stroke(-20)
    let output = try [0.005, 0.1].map {
      try shaper(parameters: ["attack": 12, "attackTime": $0]).render([input])[0]
    }
    let late = 49440..<49920
    #expect(gain(output[0], over: input, late) < 0.5)
    #expect(gain(output[1], over: input, late) > 4)
  }

  @Test func `all channels are shaped equally`() throws {
    let input = stroke(-20)
    let quiet = input.map { $0 / 16 }
    let output = try shaper(channels: 2, parameters: ["attack": 9, "sustain": -6])
      .render([input, quiet])
    #expect(output[0].map { $0 / 16 } == output[1])
  }

  @Test func `infinities and not-a-number do not stay`() throws {
    let unit = try shaper(parameters: ["attack": 12, "sustain": 12])
    _ = unit.render([[.nan, .infinity, -.infinity, 3e38] + Signal.silence(60)])
    _ = unit.render([Signal.silence(240_000)])
    let tone = Signal.tone(440, decibels: -12, 96000)
    let output = unit.render([tone])[0]
    #expect(abs(gain(output, over: tone, 48000..<96000)) < 0.3)
  }

  @Test(arguments: [false, true])
  func `the output does not depend on block sizes`(isModulated: Bool) throws {
    let unit = try shaper(
      channels: 2,
      motions: [
        "attack": .line(from: -6, to: 12, frames: 100..<333, isModulated: isModulated),
        "attackTime": .line(from: 0.001, to: 0.1, frames: 30..<500, isModulated: isModulated),
      ])
    let input = (0..<2).map { Signal.noise(600, seed: UInt64($0), amplitude: 0.6) }
    let whole = unit.render(input, blocks: [600])
    for blocks in [[1], [7], [5, 64, 1, 200, 16]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }
}
