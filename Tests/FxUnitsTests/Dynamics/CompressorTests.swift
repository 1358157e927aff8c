import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct CompressorTests {
  private func compressor(
    channels: Int = 1, key: Int = 0, options: [String: OptionValue] = [:],
    parameters: [String: Double] = [:], motions: [String: UnitRenderer.Motion] = [:]
  ) throws -> UnitRenderer {
    try UnitRenderer(
      UnitType(Compressor.self), inputWidths: [channels, key], options: options,
      parameters: parameters, motions: motions, sampleRate: 8000)
  }

  private func level(_ sample: Float) -> Double {
    Math.decibels(amplitude: Double(abs(sample)))
  }

  /// The output level of Giannoulis, Massberg and Reiss (2012), equation 4.
  private func expected(_ level: Double, threshold: Double, ratio: Double, knee: Double) -> Double {
    let over = level - threshold
    let slope = ratio == 100 ? 0 : 1 / ratio
    if 2 * over < -knee { return level }
    if 2 * abs(over) <= knee {
      return level + (slope - 1) * (over + knee / 2) * (over + knee / 2) / (2 * max(knee, 1e-9))
    }
    return threshold + over * slope
  }

  @Test(arguments: [1, 1.5, 4, 20, 100], [0.0, 6, 24])
  func `a steady level comes out on the static curve`(ratio: Double, knee: Double) throws {
    let unit = try compressor(
      parameters: ["threshold": -20, "ratio": ratio, "knee": knee, "attack": 0.0001])
    for input in stride(from: -40.0, through: 0, by: 4) {
      unit.reset()
      let amplitude = Float(Math.amplitude(decibels: input))
      let output = unit.render([Signal.constant(amplitude, 64)])
      let wanted = expected(input, threshold: -20, ratio: ratio, knee: knee)
      #expect(abs(level(output[0][63]) - wanted) < 0.1)
    }
  }

  @Test(arguments: [0.002, 0.01, 0.05])
  func `the reduction has covered 63 percent after the attack time`(attack: Double) throws {
    let unit = try compressor(
      parameters: ["threshold": -20, "ratio": 100, "knee": 0, "attack": attack])
    let frames = Int(attack * 8000)
    let output = unit.render([Signal.constant(1, frames + 1)])
    #expect(abs(level(output[0][frames - 1]) + 20 * 0.632) < 0.3)
  }

  @Test(arguments: [0.005, 0.02, 0.1])
  func `the reduction has lost 63 percent after the release time`(release: Double) throws {
    let unit = try compressor(
      parameters: [
        "threshold": -20, "ratio": 100, "knee": 0, "attack": 0.0001, "release": release,
      ])
    let frames = Int(release * 8000)
    _ = unit.render([Signal.constant(1, 64)])
    let output = unit.render([Signal.constant(0.01, frames + 1)])
    #expect(abs(level(output[0][frames - 1]) - (-40 - 20 * 0.368)) < 0.3)
  }

  @Test func `a signal under the knee passes bit for bit`() throws {
    let unit = try compressor(channels: 2, parameters: ["threshold": -18, "knee": 6])
    let quiet = [Signal.noise(500, seed: 3, amplitude: 0.08), Signal.noise(500, amplitude: 0.08)]
    #expect(unit.render(quiet) == quiet)
  }

  @Test func `only the side-chain decides the reduction`() throws {
    let loud = Signal.constant(0.9, 200)
    let unit = try compressor(key: 2, parameters: ["threshold": -20, "ratio": 100, "knee": 0])
    #expect(unit.render([loud, Signal.silence(200), Signal.silence(200)])[0] == loud)
    let quiet = Signal.constant(0.01, 400)
    let keyed = unit.render([quiet, Signal.silence(400), Signal.constant(1, 400)])[0]
    #expect(abs(level(keyed[399]) + 60) < 0.1)
  }

  @Test func `an unlinked channel ignores its neighbour and a linked one follows it`() throws {
    let input = [Signal.constant(1, 400), Signal.constant(0.05, 400)]
    let parameters = ["threshold": -20.0, "ratio": 100, "knee": 0]
    let linked = try compressor(channels: 2, parameters: parameters).render(input)
    #expect(abs(level(linked[1][399]) - (level(0.05) - 20)) < 0.1)
    let alone = try compressor(
      channels: 2, options: ["link": .flag(false)], parameters: parameters
    ).render(input)
    #expect(alone[1] == input[1])
    #expect(abs(level(alone[0][399]) + 20) < 0.1)
  }

  @Test func `an impulse arrives at the frame of the look-ahead`() throws {
    let unit = try compressor(
      options: ["lookahead": .number(0.005)], parameters: ["threshold": 0, "knee": 0])
    #expect(unit.instance.latency == 40)
    #expect(unit.render([Signal.impulse(100)])[0] == Signal.impulse(100, at: 40))
  }

  @Test func `the look-ahead catches the beginning of a loud passage`() throws {
    let parameters = ["threshold": -20.0, "ratio": 100, "knee": 0, "attack": 0.001]
    let input = [Signal.silence(100) + Signal.constant(1, 100)]
    let late = try compressor(parameters: parameters).render(input)[0]
    let early = try compressor(
      options: ["lookahead": .number(0.01)], parameters: parameters
    ).render(input)[0]
    #expect(Measured.peakLevel(late) > -4)
    #expect(Measured.peakLevel(early) < -19.5)
  }

  @Test func `the RMS detector reads a tone 3 dB below its peaks`() throws {
    let unit = try compressor(
      options: ["detector": .text("rms")],
      parameters: ["threshold": -20, "ratio": 100, "knee": 0, "attack": 0.02, "release": 0.02])
    let output = unit.render([Signal.tone(1000, decibels: -6, sampleRate: 8000, 4000)])[0]
    #expect(abs(Measured.rmsLevel(output[3200...]) + 20) < 0.2)
  }

  @Test func `makeup raises the level, and the reading shows the reduction`() throws {
    let unit = try compressor(
      parameters: ["threshold": -20, "ratio": 2, "knee": 0, "makeup": 6])
    let output = unit.render([Signal.constant(1, 512)])[0]
    #expect(abs(level(output[511]) + 4) < 0.1)
    #expect(abs(unit.instance.readings[0] - 10) < 0.1)
  }

  @Test func `infinities and not-a-number do not stay`() throws {
    let spoilt: [[Float]] = [[.nan, .infinity, -.infinity] + Signal.silence(61)]
    for detector in ["peak", "rms"] {
      let unit = try compressor(
        options: ["detector": .text(detector)], parameters: ["release": 0.005])
      _ = unit.render(spoilt)
      _ = unit.render([Signal.silence(8000)])
      let quiet = Signal.constant(0.01, 64)
      #expect(abs(level(unit.render([quiet])[0][63]) + 40) < 0.01)
    }
  }

  @Test(arguments: ["peak", "rms"], [true, false])
  func `the output does not depend on block sizes`(detector: String, isLinked: Bool) throws {
    let options: [String: OptionValue] = [
      "detector": .text(detector), "link": .flag(isLinked), "lookahead": .number(0.004),
    ]
    let unit = try compressor(
      channels: 3, key: 2, options: options,
      motions: [
        "threshold": .line(from: -40, to: -6, frames: 100..<333),
        "attack": .line(from: 0.0001, to: 0.02, frames: 30..<500),
        "makeup": .line(from: 0, to: 12, frames: 20..<300),
      ])
    let input = (0..<5).map { Signal.noise(600, seed: UInt64($0), amplitude: 0.9) }
    let whole = unit.render(input, blocks: [600])
    for blocks in [[1], [7], [5, 64, 1, 200, 16]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }

  @Test func `the range is the largest reduction`() throws {
    let unit = try compressor(
      parameters: ["threshold": -30, "ratio": 100, "knee": 0, "range": 6, "attack": 0.001])
    #expect(abs(level(unit.render([Signal.constant(1, 400)])[0][399]) + 6) < 0.01)
    #expect(abs(unit.instance.readings[0] - 6) < 0.01)
  }

  @Test func `the key filter decides what is loud`() throws {
    func reduction(_ hertz: Double, _ parameters: [String: Double]) throws -> Double {
      let settings = [
        "threshold": -30.0, "ratio": 100, "knee": 0, "attack": 0.0001, "release": 0.05,
      ]
      let unit = try compressor(parameters: settings.merging(parameters) { $1 })
      _ = unit.render([Signal.tone(hertz, decibels: -6, sampleRate: 8000, 8000)])
      return Double(unit.instance.readings[0])
    }
    #expect(abs(try reduction(50, [:]) - 24) < 0.3)
    // Two octaves below the cutoff.
    #expect(try reduction(50, ["keyHighPass": 200]) < 0.5)
    #expect(abs(try reduction(1010, ["keyHighPass": 200]) - 24) < 0.3)
    #expect(try reduction(2000, ["keyLowPass": 200]) < 0.01)
  }

  @Test func `the RMS time is the response time to a step`() throws {
    let unit = try compressor(
      options: ["detector": .text("rms"), "rmsTime": .number(0.05)],
      parameters: ["threshold": -60, "ratio": 100, "knee": 0, "attack": 0.0001])
    let output = unit.render([Signal.constant(0.5, 800)])[0]
    // 63 % of the power is 2 dB below all of it.
    #expect(abs(level(output[399]) - (-60 + 1.99)) < 0.2)
    #expect(abs(level(output[799]) - (-60 + 0.63)) < 0.2)
  }

  @Test func `the automatic release is short after a peak and long after lasting loudness`() throws
  {
    func millisecondsToHalf(after loud: Int) throws -> Double {
      let unit = try compressor(
        options: ["autoRelease": .flag(true)],
        parameters: [
          "threshold": -30, "ratio": 100, "knee": 0, "attack": 0.001, "release": 0.4,
        ])
      _ = unit.render([Signal.constant(1, loud)])
      let output = unit.render([Signal.constant(0.001, 8000)])[0]
      let first = level(output[0]) + 60
      let frame = try #require(output.firstIndex { level($0) + 60 > first / 2 })
      return Double(frame) / 8
    }
    #expect(try millisecondsToHalf(after: 40) < 50)
    // A quick release would take 35 ms, a slow one 277.
    let long = try millisecondsToHalf(after: 24000)
    #expect(abs(long - 277) < 25)
    let middle = try millisecondsToHalf(after: 1600)
    #expect(middle > 60 && middle < 200)
  }

  @Test(arguments: [false, true])
  func `the automatic release and the key filter do not depend on block sizes`(
    isLinked: Bool
  ) throws {
    let unit = try compressor(
      channels: 3, options: ["autoRelease": .flag(true), "link": .flag(isLinked)],
      motions: [
        "range": .line(from: 3, to: 100, frames: 100..<333),
        "keyHighPass": .line(from: 10, to: 800, frames: 200..<500),
      ])
    let input = (0..<3).map { Signal.noise(600, seed: UInt64($0), amplitude: 0.9) }
    let whole = unit.render(input, blocks: [600])
    for blocks in [[1], [7], [5, 64, 1, 200, 16]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }
}
