import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct LimiterTests {
  private func limiter(
    channels: Int = 1, truePeak: Bool = true, options: [String: OptionValue] = [:],
    parameters: [String: Double] = [:], motions: [String: UnitRenderer.Motion] = [:],
    sampleRate: Double = 8000
  ) throws -> UnitRenderer {
    try UnitRenderer(
      UnitType(Limiter.self), inputWidths: [channels],
      options: options.merging(["truePeak": .flag(truePeak)]) { given, _ in given },
      parameters: parameters, motions: motions, sampleRate: sampleRate)
  }

  private func amplitude(_ decibels: Double) -> Float {
    Float(Math.amplitude(decibels: decibels))
  }

  private static let loud: [String: [Float]] = [
    "noise": Signal.noise(3000, amplitude: 16),
    "clicks": (0..<3000).map { $0 % 97 == 5 || $0 % 411 == 0 ? ($0 % 2 == 0 ? 9 : -16) : 0.2 },
    "square": (0..<3000).map { $0 / 40 % 2 == 0 ? 16 : -16 },
    "tone": Signal.tone(313, decibels: 24, sampleRate: 8000, 3000),
    "quarter": (0..<3000).map { $0 / 100 % 2 == 0 ? [3, 3, -3, -3][$0 % 4] : 0 },
  ]

  @Test(arguments: ["noise", "clicks", "square", "tone", "quarter"], [false, true])
  func `no sample exceeds the ceiling`(name: String, truePeak: Bool) throws {
    for lookahead in [0.0005, 0.001, 0.02] {
      let unit = try limiter(
        truePeak: truePeak, options: ["lookahead": .number(lookahead)],
        parameters: ["ceiling": -1, "release": 0.01])
      let output = unit.render([try #require(Self.loud[name])])[0]
      #expect(Measured.peak(output) <= amplitude(-1))
      // At a quarter of the rate only the wave between the samples reaches it.
      #expect(Measured.peakLevel(output) > (truePeak ? -4.5 : -1.1))
    }
  }

  /// The largest magnitude of the wave, by a windowed sinc of 16 phases and ten samples a side.
  private func truePeak(_ signal: [Float]) -> Double {
    var peak = 0.0
    for phase in 0..<16 {
      let taps = (-10...10).map { place -> Double in
        let distance = Double(place) - Double(phase) / 16
        let turn = Double.pi * distance
        let window = 0.5 + 0.5 * Math.cos(turn / 11)
        return (distance == 0 ? 1 : Math.sin(turn) / turn) * window
      }
      for frame in 10..<signal.count - 10 {
        var sum = 0.0
        for place in -10...10 { sum += taps[place + 10] * Double(signal[frame + place]) }
        peak = max(peak, abs(sum))
      }
    }
    return Math.decibels(amplitude: peak)
  }

  @Test(arguments: ["clicks", "square", "tone", "quarter"])
  func `the wave between the samples stays under the ceiling`(name: String) throws {
    let input = try #require(Self.loud[name])
    let wave = truePeak(try limiter(sampleRate: 44100).render([input])[0])
    #expect(wave < -1 + 0.08)
    if name == "quarter" {
      let samples = try limiter(truePeak: false, sampleRate: 44100).render([input])[0]
      #expect(truePeak(samples) > 1)
    }
  }

  @Test func `a signal under the ceiling passes bit for bit, delayed by the latency`() throws {
    for (truePeak, latency) in [(true, 18), (false, 8)] {
      let unit = try limiter(channels: 2, truePeak: truePeak)
      #expect(unit.instance.latency == latency)
      let input = [Signal.noise(500, seed: 3, amplitude: 0.4), Signal.noise(500, amplitude: 0.4)]
      let output = unit.render(input)
      for channel in 0..<2 {
        #expect(output[channel] == Signal.silence(latency) + input[channel].dropLast(latency))
      }
    }
  }

  @Test(arguments: [44100.0, 48000, 96000])
  func `its latency is at most one and a half milliseconds`(sampleRate: Double) throws {
    let unit = try limiter(sampleRate: sampleRate)
    #expect(Double(unit.instance.latency) / sampleRate < 0.0015)
  }

  @Test func `the gain falls in small steps`() throws {
    // A constant with one tall peak: the output is the gain itself, and the peak in its place.
    var input = Signal.constant(0.5, 1600)
    input[400] = 8
    let unit = try limiter(
      truePeak: false, options: ["lookahead": .number(0.005)], parameters: ["ceiling": 0])
    var gain = unit.render([input])[0]
    #expect(abs(gain[439 - 41] - 0.5) < 1e-4)
    gain[440] = (gain[439] + gain[441]) / 2
    // 41 frames of a triangle: no step above twice the mean one.
    #expect(Measured.largestStep(Array(gain[41...])) < 2.2 * 0.4375 / 41)
    #expect(gain[439] < 0.08)
  }

  @Test func `after a lone peak the gain is soon back, whatever the release`() throws {
    var input = Signal.constant(0.1, 48000)
    input[24000] = amplitude(11)
    let unit = try limiter(parameters: ["release": 2], sampleRate: 48000)
    let gain = unit.render([input])[0].map { $0 / 0.1 }
    let behind = 24000 + unit.instance.latency
    #expect(gain[behind + 480] > 0.708)
    #expect(gain[behind + 40] < 0.708)
    #expect(gain.last == 1)
  }

  @Test func `after lasting loudness the way back up takes the release time`() throws {
    let unit = try limiter(truePeak: false, parameters: ["ceiling": 0, "release": 0.1])
    _ = unit.render([Signal.constant(4, 4000)])
    let output = unit.render([Signal.constant(0.5, 2000)])[0]
    // The last loud frame leaves the windows of 17 ms first.
    let gain = output[8 + 136 + 800] / 0.5
    #expect(abs(gain - (0.25 + 0.75 * 0.632)) < 0.03)
    let isExact = unit.render([Signal.constant(0.5, 16000)])[0].suffix(400).allSatisfy { $0 == 0.5 }
    #expect(isExact)
  }

  @Test(arguments: [30, 50, 100])
  func `a low tone keeps its shape`(frequency: Int) throws {
    let tone = Signal.tone(Double(frequency), decibels: 5, sampleRate: 48000, 96000)
    let output = try limiter(sampleRate: 48000).render([tone])[0].suffix(48000)
    func part(_ harmonic: Int) -> Double {
      var (re, im) = (0.0, 0.0)
      for (index, sample) in output.enumerated() {
        let turn = Math.sinCos(2 * .pi * Double(frequency * harmonic * index) / 48000)
        re += Double(sample) * turn.cos
        im += Double(sample) * turn.sin
      }
      return re * re + im * im
    }
    let harmonics = (2...20).map(part).reduce(0, +)
    #expect((harmonics / part(1)).squareRoot() < 5e-5)
  }

  @Test func `channels are reduced equally, in part or separately, by their link`() throws {
    let input = [Signal.constant(4, 4000), Signal.constant(0.4, 4000)]
    for (link, expected) in [(1.0, 0.1), (0, 0.4), (0.5, 0.25)] {
      let unit = try limiter(
        channels: 2, truePeak: false, options: ["link": .number(link)],
        parameters: ["ceiling": 0])
      let output = unit.render(input)
      #expect(abs(output[0][3999] - 1) < 1e-4)
      #expect(abs(Double(output[1][3999]) - expected) < 1e-4)
      #expect(abs(unit.instance.readings[0] - 12.04) < 0.01)
    }
  }

  @Test func `six channels follow the loudest of them`() throws {
    let quiet = Signal.constant(0.2, 4000)
    let unit = try limiter(channels: 6, truePeak: false, parameters: ["ceiling": 0])
    let output = unit.render([quiet, quiet, quiet, quiet, quiet, Signal.constant(2, 4000)])
    for channel in 0..<5 { #expect(abs(output[channel][3999] - 0.1) < 1e-4) }
  }

  @Test func `each frame obeys the ceiling of its own time`() throws {
    let unit = try limiter(motions: ["ceiling": .line(from: 0, to: -24, frames: 200..<210)])
    let output = unit.render([Signal.noise(800, amplitude: 3)])[0]
    #expect(Measured.peak(Array(output[..<218])) > 0.5)
    #expect(Measured.peak(Array(output[228...])) <= amplitude(-24))
  }

  @Test func `silence stays silence, and infinities and not-a-number become it`() throws {
    let unit = try limiter()
    #expect(unit.render([Signal.silence(300)])[0] == Signal.silence(300))
    var input = Signal.constant(0.3, 400)
    for (frame, bad) in [(100, Float.infinity), (200, -.infinity), (300, .nan), (350, 1e30)] {
      input[frame] = bad
    }
    let output = unit.render([input])[0]
    let isFinite = output.allSatisfy(\.isFinite)
    #expect(isFinite && Measured.peak(output) <= 0.3)
    for frame in [100, 200, 300, 350] { #expect(output[frame + 18] == 0) }
  }

  @Test(arguments: [0.3, 1])
  func `the output does not depend on block sizes`(link: Double) throws {
    let unit = try limiter(
      channels: 2, options: ["link": .number(link)],
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
}
