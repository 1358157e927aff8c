import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// Delay times: between frames, changing, modulated, and different ones on the right.
@Suite struct DelayTimeTests {
  private func delay(
    channels: Int = 1, options: [String: OptionValue] = [:], parameters: [String: Double] = [:],
    motions: [String: UnitRenderer.Motion] = [:], sampleRate: Double = 44100
  ) throws -> UnitRenderer {
    try UnitRenderer(
      UnitType(Delay.self), inputWidths: [channels], options: options, parameters: parameters,
      motions: motions, sampleRate: sampleRate)
  }

  @Test func `six echoes keep the treble at a time between two frames`() throws {
    let unit = try delay(parameters: ["time": 0.03333, "feedback": 0.9])
    let output = unit.render([Signal.impulse(12000)], blocks: [512])[0]
    let start = Int(6 * 0.03333 * 44100) - 400
    let echo = Array(output[start..<start + 800])
    for hertz in [100.0, 1000, 5000, 10000, 15000, 18000, 20000] {
      let gain = Measured.spectrum(echo, at: hertz, sampleRate: 44100).magnitude
      let level = Math.decibels(amplitude: gain / Math.pow(0.9, 5))
      #expect(level < 0.001, "\(hertz) Hz")
      if hertz <= 15000 { #expect(level > -0.5, "\(hertz) Hz") }
    }
  }

  @Test(arguments: [0.02, 0.1, 0.25, 0.37, 0.5, 0.81, 0.97])
  func `no fraction of a frame makes a frequency louder`(share: Double) throws {
    let unit = try delay(parameters: ["time": (100 + share) / 44100, "feedback": 0])
    let output = unit.render([Signal.impulse(220)])[0]
    for hertz in stride(from: 100.0, to: 22000, by: 150) {
      let gain = Measured.spectrum(output, at: hertz, sampleRate: 44100).magnitude
      #expect(gain < 1.000_02, "\(hertz) Hz")
    }
  }

  /// The power beside a tone of 1 kHz while the time changes from one value to another.
  private func smear(_ change: String) throws -> Double {
    let unit = try delay(
      options: ["change": .text(change)], parameters: ["feedback": 0],
      motions: ["time": .line(from: 0.1, to: 0.1613, frames: 20000..<24000)])
    let tone = Signal.tone(1000, sampleRate: 44100, 60000)
    let output = unit.render([tone], blocks: [256])[0][15000..<45000]
    let windowed = output.enumerated().map { index, sample in
      sample * Float(0.5 - 0.5 * Math.cos(2 * .pi * Double(index) / 30000))
    }
    func power(_ hertz: Double) -> Double {
      let value = Measured.spectrum(windowed, at: hertz, sampleRate: 44100).magnitude
      return value * value
    }
    let beside = (1...20).flatMap {
      [power(1000 - 100 - 30 * Double($0)), power(1100 + 30 * Double($0))]
    }
    return Math.decibels(amplitude: Math.squareRoot(beside.reduce(0, +) / power(1000)))
  }

  @Test func `a crossfade reaches a new time without bending the pitch`() throws {
    #expect(try smear("crossfade") < -60)
    #expect(try smear("glide") > -40)
  }

  @Test func `a crossfade ends at the time that was asked for`() throws {
    let unit = try delay(
      options: ["change": .text("crossfade")], parameters: ["feedback": 0],
      motions: ["time": .line(from: 0.01, to: 0.02, frames: 1000..<1010)])
    let input = Signal.silence(8000) + Signal.impulse(2000)
    let output = unit.render([input], blocks: [100])[0]
    #expect(output.firstIndex { $0 != 0 } == 8882)
    #expect(output[8882] == 1)
  }

  @Test func `the right channels have a time of their own`() throws {
    let unit = try delay(
      channels: 2, parameters: ["time": 0.01, "rightTime": 1.5, "feedback": 0])
    let output = unit.render([Signal.impulse(1000), Signal.impulse(1000)])
    #expect(output[0].firstIndex { $0 != 0 } == 441)
    // 661.5 frames: the windowed sine reaches eight of them ahead.
    let right = try #require(output[1].firstIndex { $0 > 0.5 })
    #expect(right == 661)
    let lone = try delay(channels: 1, parameters: ["time": 0.01, "rightTime": 1.5, "feedback": 0])
    #expect(lone.render([Signal.impulse(1000)])[0] == output[0])
  }

  @Test func `modulation varies the time and has no effect at a depth of 0`() throws {
    let tone = Signal.tone(1000, sampleRate: 44100, 44100)
    func render(_ depth: Double) throws -> [[Float]] {
      try delay(
        channels: 2,
        parameters: [
          "time": 0.05, "feedback": 0, "modulationDepth": depth, "modulationRate": 2,
        ]
      ).render([tone, tone], blocks: [512])
    }
    let still = try render(0)
    #expect(still[0] == still[1])
    let swayed = try render(0.0005)
    #expect(swayed[0] != swayed[1])
    // 1 kHz with 2 π 1000 0.0005 of phase: sidebands 2 Hz apart, Bessel functions of 3.14.
    func level(_ hertz: Double) -> Double {
      Measured.spectrum(Array(swayed[0][22050..<44100]), at: hertz, sampleRate: 44100).magnitude
        / 11025
    }
    #expect(abs(level(1002) - 0.284) < 0.02)
    #expect(abs(level(1004) - 0.486) < 0.02)
  }

  @Test(arguments: ["glide", "crossfade"])
  func `the output does not depend on block sizes while the time moves`(change: String) throws {
    let unit = try delay(
      channels: 2, options: ["change": .text(change)],
      motions: [
        "time": .line(from: 0.05, to: 0.02, frames: 100..<700),
        "rightTime": .line(from: 0.7, to: 1.1, frames: 300..<900),
        "modulationRate": .line(from: 1, to: 5, frames: 200..<1500),
        "modulationDepth": .line(from: 0, to: 0.001, frames: 900..<1200),
      ])
    let input = [Signal.noise(4000, seed: 1), Signal.noise(4000, seed: 2)]
    let whole = unit.render(input, blocks: [4000])
    for blocks in [[1], [7], [5, 64, 1, 200, 16], [333]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }

  @Test func `revision 1 still renders the same bits`() throws {
    let unit = try UnitRenderer(
      try builtIn("delay@1"), inputWidths: [2], parameters: ["time": 0.0333, "feedback": 0.6],
      motions: ["highCut": .line(from: 3000, to: 9000, frames: 500..<1500)], sampleRate: 8000)
    var made = SampleDigest()
    for channel in unit.render([Signal.noise(3000, seed: 1), Signal.noise(3000, seed: 2)]) {
      made.append(channel, frameCount: channel.count)
    }
    #expect(made.value == 1_326_686_386_030_269_772)
  }
}
