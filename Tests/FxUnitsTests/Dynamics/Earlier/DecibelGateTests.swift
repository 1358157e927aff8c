import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct DecibelGateTests {
  private func gate(
    channels: Int = 1, key: Int = 0, options: [String: OptionValue] = [:],
    parameters: [String: Double] = [:], motions: [String: UnitRenderer.Motion] = [:]
  ) throws -> UnitRenderer {
    let quick = [
      "threshold": -40.0, "hysteresis": 6, "range": 60, "attack": 0.0001, "hold": 0,
      "release": 0.005,
    ]
    return try UnitRenderer(
      UnitType(DecibelGate.self), inputWidths: [channels, key], options: options,
      parameters: quick.merging(parameters) { $1 }, motions: motions, sampleRate: 8000)
  }

  private func constant(_ decibels: Double, _ count: Int) -> [Float] {
    Signal.constant(Float(Math.amplitude(decibels: decibels)), count)
  }

  private func level(_ sample: Float) -> Double {
    Math.decibels(amplitude: Double(abs(sample)))
  }

  @Test func `a signal above the threshold passes, and one below it falls by the range`() throws {
    let unit = try gate(parameters: ["range": 30])
    #expect(abs(level(unit.render([constant(-20, 200)])[0][199]) + 20) < 0.01)
    #expect(abs(level(unit.render([constant(-50, 800)])[0][799]) + 80) < 0.01)
    #expect(abs(unit.instance.readings[0] - 30) < 0.01)
  }

  @Test func `it starts closed`() throws {
    let output = try gate().render([constant(-50, 10)])[0]
    #expect(abs(level(output[0]) + 110) < 0.1)
  }

  @Test func `between threshold and hysteresis it stays as it is`() throws {
    let unit = try gate()
    let between = constant(-43, 400)
    #expect(level(unit.render([between])[0][399]) < -100)
    _ = unit.render([constant(-20, 200)])
    #expect(abs(level(unit.render([between])[0][399]) + 43) < 0.01)
  }

  @Test func `it closes after the hold time, by 63 percent in the release time`() throws {
    let unit = try gate(parameters: ["hold": 0.02, "release": 0.02])
    _ = unit.render([constant(-20, 200)])
    let output = unit.render([constant(-60, 400)])[0]
    #expect(abs(level(output[159]) + 60) < 0.01)
    #expect(abs(level(output[160 + 159]) - (-60 - 60 * 0.632)) < 0.5)
  }

  @Test(arguments: [0, 1, 160]) func `it holds to the frame`(_ frames: Int) throws {
    let unit = try gate(parameters: ["hold": Double(frames) / 8000, "release": 0.02])
    _ = unit.render([constant(-20, 200)])
    let output = unit.render([constant(-60, frames + 1)])[0]
    #expect(output.prefix(frames).allSatisfy { abs(level($0) + 60) < 0.01 })
    // The first frame of the release falls by 60 dB / 160.
    #expect(abs(level(output[frames]) + 60.375) < 0.02)
  }

  @Test func `it has opened by 63 percent after the attack time`() throws {
    let output = try gate(parameters: ["attack": 0.02]).render([constant(-20, 200)])[0]
    #expect(abs(level(output[159]) - (-20 - 60 * 0.368)) < 0.5)
  }

  @Test func `a side-chain opens it`() throws {
    let unit = try gate(key: 1)
    let loud = constant(-6, 300)
    #expect(abs(level(unit.render([loud, Signal.silence(300)])[0][299]) + 66) < 0.01)
    #expect(abs(level(unit.render([loud, loud])[0][299]) + 6) < 0.01)
  }

  @Test func `the look-ahead keeps the beginning`() throws {
    let unit = try gate(options: ["lookahead": .number(0.005)])
    #expect(unit.instance.latency == 40)
    let output = unit.render([constant(-20, 200)])[0]
    #expect(output[39] == 0)
    #expect(abs(level(output[40]) + 20) < 0.01)
  }

  @Test func `the output does not depend on block sizes`() throws {
    let unit = try gate(
      channels: 2, key: 1, options: ["lookahead": .number(0.004)],
      motions: [
        "threshold": .line(from: -20, to: -6, frames: 100..<333),
        "range": .line(from: 60, to: 20, frames: 30..<500),
        "hold": .line(from: 0, to: 0.01, frames: 30..<500),
      ])
    let input = (0..<3).map { Signal.noise(600, seed: UInt64($0), amplitude: 0.6) }
    let whole = unit.render(input, blocks: [600])
    for blocks in [[1], [7], [5, 64, 1, 200, 16]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }

  @Test func `revision 1 keeps its bits`() throws {
    let unit = try gate(channels: 2, parameters: ["threshold": -8, "hold": 0.001])
    let input = (0..<2).map { Signal.noise(2000, seed: UInt64($0)) }
    #expect(Measured.fingerprint(unit.render(input)) == 7_911_567_544_392_111_485)
  }
}
