import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct ExpanderTests {
  private func expander(
    channels: Int = 1, key: Int = 0, options: [String: OptionValue] = [:],
    parameters: [String: Double] = [:], motions: [String: UnitRenderer.Motion] = [:],
    sampleRate: Double = 8000
  ) throws -> UnitRenderer {
    let quick = [
      "threshold": -40.0, "ratio": 2, "knee": 0, "range": 60, "attack": 0.0001, "hold": 0.005,
      "release": 0.005,
    ]
    return try UnitRenderer(
      UnitType(Expander.self), inputWidths: [channels, key], options: options,
      parameters: quick.merging(parameters) { $1 }, motions: motions, sampleRate: sampleRate)
  }

  private func constant(_ decibels: Double, _ count: Int) -> [Float] {
    Signal.constant(Float(Math.amplitude(decibels: decibels)), count)
  }

  private func level(_ sample: Float) -> Double {
    Math.decibels(amplitude: Double(abs(sample)))
  }

  /// The curve of Giannoulis, Massberg and Reiss (2012), equation 4, upside down.
  private func expected(_ level: Double, ratio: Double, knee: Double, range: Double) -> Double {
    let under = -40 - level
    if 2 * under < -knee { return level }
    let reduction =
      2 * abs(under) <= knee
      ? (ratio - 1) * (under + knee / 2) * (under + knee / 2) / (2 * max(knee, 1e-9))
      : (ratio - 1) * under
    return level - min(reduction, range)
  }

  @Test(arguments: [1, 1.5, 4, 20], [0.0, 6, 24])
  func `a steady level comes out on the static curve`(ratio: Double, knee: Double) throws {
    let unit = try expander(parameters: ["ratio": ratio, "knee": knee, "range": 40])
    for input in stride(from: -70.0, through: 0, by: 5) {
      unit.reset()
      let output = unit.render([constant(input, 800)])[0]
      let wanted = expected(input, ratio: ratio, knee: knee, range: 40)
      #expect(abs(level(output[799]) - wanted) < 0.05, "\(input)")
    }
  }

  @Test(arguments: [60.0, 440, 3000])
  func `a steady tone comes out on the static curve`(_ hertz: Double) throws {
    let unit = try expander(
      parameters: ["attack": 0.002, "hold": 0.02, "release": 0.2], sampleRate: 48000)
    let output = unit.render([Signal.tone(hertz, decibels: -50, 96000)])[0]
    #expect(abs(Measured.rmsLevel(output[48000...]) - (-60 - 3.01)) < 0.2)
  }

  @Test func `it starts closed`() throws {
    let output = try expander(parameters: ["range": 30, "attack": 0.5]).render([constant(-20, 4)])
    #expect(abs(level(output[0][0]) + 50) < 0.5)
  }

  @Test func `a step up is covered to 99 percent of the amplitude in the attack time`() throws {
    let output = try expander(parameters: ["attack": 0.02]).render([constant(-20, 200)])[0]
    #expect(abs(output[159] / 0.1 - 0.99) < 0.001)
  }

  @Test func `a step down waits for the hold and takes the release time`() throws {
    let unit = try expander(parameters: ["hold": 0.02, "release": 0.1])
    _ = unit.render([constant(-20, 400)])
    let output = unit.render([constant(-80, 1600)])[0].map { $0 / 0.0001 }
    #expect(abs(output[159] - 1) < 0.001)
    // The held peak first falls to the threshold, with 5 ms to 37 %.
    #expect(output[160 + 80] > 0.5)
    #expect(output[160 + 800 + 500] < 0.0115)
  }

  @Test func `a signal that stays above the threshold passes bit for bit`() throws {
    let unit = try expander(channels: 2)
    _ = unit.render([constant(-20, 400), constant(-20, 400)])
    #expect(
      unit.render([constant(-30, 99), constant(-60, 99)])
        == [constant(-30, 99), constant(-60, 99)])
    #expect(unit.instance.readings[0] == 0)
  }

  @Test func `a side-chain decides, through the key filter`() throws {
    func output(_ parameters: [String: Double]) throws -> Double {
      let unit = try expander(key: 1, parameters: parameters, sampleRate: 48000)
      let tone = Signal.tone(100, decibels: -20, 9600)
      return level(unit.render([constant(-10, 9600), tone])[0][9599])
    }
    #expect(abs(try output([:]) + 10) < 0.01)
    // 24 dB an octave below the cutoff, in two octaves and a bit: the level is -20 - 40.
    #expect(abs(try output(["keyHighPass": 1000]) + 30) < 0.3)
  }

  @Test func `the look-ahead keeps the beginning`() throws {
    let unit = try expander(options: ["lookahead": .number(0.005)])
    #expect(unit.instance.latency == 40)
    let output = unit.render([constant(-20, 200)])[0]
    #expect(output[39] == 0 && abs(level(output[40]) + 20) < 0.01)
  }

  @Test func `infinities and not-a-number do not stay`() throws {
    let unit = try expander()
    _ = unit.render([[.nan, .infinity, -.infinity, 3e38] + Signal.silence(60)])
    _ = unit.render([Signal.silence(8000)])
    #expect(abs(level(unit.render([constant(-50, 800)])[0][799]) + 60) < 0.05)
  }

  @Test(arguments: [false, true])
  func `the output does not depend on block sizes`(isModulated: Bool) throws {
    let unit = try expander(
      channels: 2, key: 1, options: ["lookahead": .number(0.004)],
      motions: [
        "threshold": .line(from: -20, to: -6, frames: 100..<333, isModulated: isModulated),
        "ratio": .line(from: 2, to: 10, frames: 30..<500),
        "hold": .line(from: 0, to: 0.01, frames: 30..<500),
        "keyHighPass": .line(from: 10, to: 1000, frames: 130..<500),
      ])
    let input = (0..<3).map { Signal.noise(600, seed: UInt64($0), amplitude: 0.6) }
    let whole = unit.render(input, blocks: [600])
    for blocks in [[1], [7], [5, 64, 1, 200, 16]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }
}
