import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// How a reverb's tail sounds and what its parameters do to it.
@Suite struct ReverbTailTests {
  private let sampleRate = 16000.0

  private func response(
    _ parameters: [String: Double], size: Double = 1, count: Int = 32000, startFrame: Int = 0
  ) throws -> [[Float]] {
    let settings = ["preDelay": 0, "damping": 20000, "lowCut": 10].merging(parameters) { $1 }
    let unit = try UnitRenderer(
      UnitType(Reverb.self), inputWidths: [2], options: ["size": .number(size)],
      parameters: settings, sampleRate: sampleRate, startFrame: startFrame)
    return unit.render([Signal.impulse(count), Signal.impulse(count)], blocks: [512])
  }

  /// Geometric by arithmetic mean of the power of bins between two frequencies, the decay of `decay`
  /// seconds taken out. Gaussian noise reads 0.56.
  private func flatness(_ response: [Float], decay: Double, _ hertz: ClosedRange<Double>) -> Double
  {
    let frames = 16384
    let part = (0..<frames).map { frame -> Float in
      let time = Double(frame) / sampleRate
      let window = 0.5 - 0.5 * Math.cos(2 * .pi * Double(frame) / Double(frames))
      return Float(Double(response[1600 + frame]) * Math.pow(10, 3 * time / decay) * window)
    }
    var (sum, logarithms, count) = (0.0, 0.0, 0.0)
    let step = sampleRate / Double(frames)
    for bin in stride(from: hertz.lowerBound, through: hertz.upperBound, by: 7 * step) {
      let place = (bin / step).rounded() * step
      let value = Measured.spectrum(part, at: place, sampleRate: sampleRate)
      let power = value.magnitude * value.magnitude
      (sum, logarithms, count) = (sum + power, logarithms + Math.log(power), count + 1)
    }
    return Math.exp(logarithms / count) / (sum / count)
  }

  @Test(arguments: [0.3, 1.0]) func `no tone rings on in the tail`(size: Double) throws {
    var moved = 0.0
    for start in [0, 50000, 100_000, 150_000] {
      for channel in try response(["decay": 1.8], size: size, startFrame: start) {
        moved += flatness(channel, decay: 1.8, 400...4000) / 8
      }
    }
    #expect(moved > 0.43)
  }

  /// Decibels that a band falls by in the quarter of a second after 0.25 s.
  private func fall(_ responses: [[Float]], at hertz: Double) -> Double {
    func level(_ from: Int) -> Double {
      var power = 0.0
      for response in responses {
        let part = (0..<4000).map { frame -> Float in
          let window = 0.5 - 0.5 * Math.cos(2 * .pi * Double(frame) / 4000)
          return response[from + frame] * Float(window * window)
        }
        for shift in stride(from: -0.2, through: 0.2, by: 0.02) {
          let bin = Measured.spectrum(part, at: hertz * (1 + shift), sampleRate: sampleRate)
          power += bin.magnitude * bin.magnitude
        }
      }
      return Math.decibels(amplitude: Math.squareRoot(power))
    }
    return level(4000) - level(8000)
  }

  @Test func `bass and treble decay in multiples of the decay`() throws {
    let output = try response(
      ["decay": 1, "damping": 2000, "highDecay": 0.4, "lowDecay": 2, "crossover": 400])
    #expect(abs(fall(output, at: 80) - 7.5) < 3)
    #expect(abs(fall(output, at: 2000) - 37.5) < 5)
  }

  @Test func `a damping of 20 kHz is none`() throws {
    #expect(try response(["highDecay": 0.2]) == response(["highDecay": 1]))
    #expect(try response(["damping": 7000, "highDecay": 0.2]) != response(["highDecay": 1]))
  }

  @Test func `the level of noise does not depend on decay and damping`() throws {
    var levels: [Double] = []
    for decay in [0.3, 1.8, 6] {
      for damping in [800.0, 4000, 20000] {
        let unit = try UnitRenderer(
          UnitType(Reverb.self), inputWidths: [2],
          parameters: ["decay": decay, "damping": damping, "early": -300],
          sampleRate: sampleRate)
        let input = [Signal.noise(120_000, seed: 1), Signal.noise(120_000, seed: 2)].map(pink)
        levels.append(Measured.rmsLevel(unit.render(input, blocks: [1024])[0][100_000...]))
      }
    }
    let (lowest, highest) = try (#require(levels.min()), #require(levels.max()))
    #expect(highest - lowest < 2.5)
  }

  /// Three one-pole low passes whose sum falls by about 3 dB an octave (P. Kellet's economy method).
  private func pink(_ noise: [Float]) -> [Float] {
    var (a, b, c): (Float, Float, Float) = (0, 0, 0)
    return noise.map { white in
      a = 0.99765 * a + white * 0.0990460
      b = 0.96300 * b + white * 0.2965164
      c = 0.57000 * c + white * 1.0526913
      return 0.2 * (a + b + c + white * 0.1848)
    }
  }

  @Test func `early reflections have a level`() throws {
    let usual = try response(["decay": 1], count: 400)[0]
    let none = try response(["decay": 1, "early": -.infinity], count: 400)[0]
    let loud = try response(["decay": 1, "early": 6], count: 400)[0]
    #expect(Measured.peak(none) == 0)
    let change = Math.decibels(amplitude: Double(loud[0] / usual[0]))
    #expect(abs(change - 6) < 0.01)
  }

  @Test func `without diffusion the early part is single echoes`() throws {
    let sparse = try response(["diffusion": 0], count: 400)[0]
    #expect(sparse.count { $0 != 0 } == 0)
    let later = try response(["diffusion": 0], count: 600)[0]
    #expect(later.count { abs($0) > 0.01 } == 1)
    let dense = try response([:], count: 400)[0]
    #expect(dense.count { abs($0) > 1e-6 } > 50)
  }

  @Test func `both sides of the tail are unlike`() throws {
    let output = try response(["decay": 1.8])
    var product = 0.0
    for frame in 3000..<20000 { product += Double(output[0][frame]) * Double(output[1][frame]) }
    let power = Measured.rms(output[0][3000..<20000]) * Measured.rms(output[1][3000..<20000])
    #expect(abs(product / (17000 * power)) < 0.1)
  }

  @Test(arguments: [
    "decay", "damping", "highDecay", "lowDecay", "modulation", "diffusion", "early",
  ])
  func `a parameter that moves makes no noise of its own`(id: String) throws {
    let ends: [String: (Double, Double)] = [
      "decay": (1, 3), "damping": (3000, 8000), "highDecay": (0.3, 0.9), "lowDecay": (1, 1.6),
      "modulation": (0, 1), "diffusion": (0.4, 1), "early": (-6, 0),
    ]
    let (from, to) = try #require(ends[id])
    let unit = try UnitRenderer(
      UnitType(Reverb.self), inputWidths: [1], parameters: ["preDelay": 0],
      motions: [id: .line(from: from, to: to, frames: 24000..<32000)], sampleRate: sampleRate)
    // A slow sine: the noise of a step lies far above its frequency.
    let input = (0..<48000).map { Float(0.5 * Math.sin(2 * .pi * 50 * Double($0) / sampleRate)) }
    let output = unit.render([input], blocks: [480])[0]
    var noise: [Float] = Array(output[24000..<34000])
    for _ in 0..<6 { noise = zip(noise.dropFirst(), noise).map { 0.5 * ($0 - $1) } }
    #expect(Measured.peakLevel(noise) < -90)
  }
}
