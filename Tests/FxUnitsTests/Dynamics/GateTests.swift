import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct GateTests {
  private func gate(
    channels: Int = 1, key: Int = 0, options: [String: OptionValue] = [:],
    parameters: [String: Double] = [:], motions: [String: UnitRenderer.Motion] = [:],
    sampleRate: Double = 8000
  ) throws -> UnitRenderer {
    let quick = [
      "threshold": -40.0, "hysteresis": 6, "range": 60, "attack": 0.0001, "hold": 0,
      "release": 0.005,
    ]
    return try UnitRenderer(
      UnitType(Gate.self), inputWidths: [channels, key], options: options,
      parameters: quick.merging(parameters) { $1 }, motions: motions, sampleRate: sampleRate)
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

  @Test func `an open gate passes every bit`() throws {
    let unit = try gate()
    let input = constant(-20, 400)
    #expect(unit.render([input])[0].suffix(200) == input.suffix(200))
    #expect(unit.render([constant(-21, 64)])[0] == constant(-21, 64))
    #expect(unit.instance.readings[0] == 0)
  }

  @Test func `it starts closed`() throws {
    let output = try gate(parameters: ["attack": 0.1]).render([constant(-50, 10)])[0]
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

  @Test func `it has opened to 99 percent of the amplitude after the attack time`() throws {
    let output = try gate(parameters: ["attack": 0.02]).render([constant(-20, 200)])[0]
    #expect(abs(output[159] / 0.1 - 0.99) < 0.001)
    #expect(abs(output[79] / 0.1 - 0.9) < 0.001)
  }

  @Test(arguments: [200.0, 500, 1000, 2000, 5000])
  func `an onset loses less than a decibel of its first two milliseconds`(_ hertz: Double) throws {
    let unit = try gate(parameters: ["attack": 0.001, "hold": 0.05], sampleRate: 48000)
    let burst = Signal.tone(hertz, decibels: -12, 4800)
    let output = unit.render([Signal.silence(4800) + burst])[0]
    let loss = Measured.rmsLevel(burst[..<96]) - Measured.rmsLevel(output[4800..<4896])
    #expect(loss < 1)
  }

  @Test func `it continues from its current gain when it changes direction`() throws {
    let unit = try gate(parameters: ["attack": 0.05, "release": 0.05])
    let opening = unit.render([constant(-20, 40)])[0]
    let closing = unit.render([constant(-60, 40)])[0]
    let gains = opening.map { $0 / 0.1 } + closing.map { $0 / 0.001 }
    #expect(Measured.largestStep(gains) < 0.02)
    let again = unit.render([constant(-20, 40)])[0].map { $0 / 0.1 }
    #expect(abs(again[0] - gains[79]) < 0.02)
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

  @Test(arguments: [0, 1]) func `the key filter decides what opens it`(key: Int) throws {
    func opens(_ hertz: Double, _ parameters: [String: Double]) throws -> Bool {
      let unit = try gate(key: key, parameters: parameters, sampleRate: 48000)
      let tone = Signal.tone(hertz, decibels: -20, 9600)
      let output = unit.render([tone] + (0..<key).map { _ in tone })[0]
      return Measured.rmsLevel(output[4800...]) > -30
    }
    #expect(try opens(50, [:]) && opens(5000, [:]))
    #expect(try !opens(50, ["keyHighPass": 500]) && opens(5000, ["keyHighPass": 500]))
    #expect(try opens(50, ["keyLowPass": 500]) && !opens(5000, ["keyLowPass": 500]))
  }

  @Test func `the key filter does not filter the output`() throws {
    let unit = try gate(parameters: ["keyHighPass": 1000], sampleRate: 48000)
    let input = zip(
      Signal.tone(50, decibels: -20, 9600), Signal.tone(3000, decibels: -20, 9600)
    ).map { $0 + $1 }
    #expect(unit.render([input])[0].suffix(4800) == input.suffix(4800))
  }

  @Test func `a key filter that is off changes no bit`() throws {
    let input = [Signal.noise(2000, amplitude: 0.02), Signal.noise(2000, seed: 2, amplitude: 0.02)]
    let plain = try gate(channels: 2, parameters: ["hold": 0.001]).render(input)
    let off = try gate(
      channels: 2, parameters: ["hold": 0.001, "keyHighPass": 10, "keyLowPass": 20000]
    ).render(input)
    #expect(off == plain)
  }

  @Test(arguments: ["keyHighPass", "keyLowPass", "threshold", "range"], [false, true])
  func `the output does not depend on block sizes`(_ path: String, isModulated: Bool) throws {
    let ends = [
      "keyHighPass": (10.0, 3000.0), "keyLowPass": (3920, 300), "threshold": (-20, -6),
      "range": (60, 20),
    ]
    let (from, to) = try #require(ends[path])
    let unit = try gate(
      channels: 2, key: 1, options: ["lookahead": .number(0.004)],
      parameters: ["threshold": -12],
      motions: [path: .line(from: from, to: to, frames: 100..<333, isModulated: isModulated)])
    let input = (0..<3).map { Signal.noise(600, seed: UInt64($0), amplitude: 0.6) }
    let whole = unit.render(input, blocks: [600])
    for blocks in [[1], [7], [5, 64, 1, 200, 16]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }
}
