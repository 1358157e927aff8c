import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// The level in decibels of a sound without a tone, its harmonics and its constant, against the tone.
func inharmonic(_ sound: [Float], cycles: Int) -> Double {
  let count = sound.count
  var rest = sound.map(Double.init)
  let mean = rest.reduce(0, +) / Double(count)
  for index in rest.indices { rest[index] -= mean }
  var tone = 0.0
  for harmonic in stride(from: cycles, to: count / 2, by: cycles) {
    var (sine, cosine) = (0.0, 0.0)
    for index in rest.indices {
      let turn = 2 * Double.pi * Double(harmonic * index % count) / Double(count)
      sine += rest[index] * sin(turn)
      cosine += rest[index] * cos(turn)
    }
    (sine, cosine) = (2 * sine / Double(count), 2 * cosine / Double(count))
    if harmonic == cycles { tone = sine * sine + cosine * cosine }
    for index in rest.indices {
      let turn = 2 * Double.pi * Double(harmonic * index % count) / Double(count)
      rest[index] -= sine * sin(turn) + cosine * cos(turn)
    }
  }
  let power = 2 * rest.reduce(0) { $0 + $1 * $1 } / Double(count)
  return 10 * log10(max(power, 1e-30) / tone)
}

@Suite struct `A saturator` {
  private func renderer(
    _ unit: String = "saturator", options: [String: OptionValue] = [:],
    parameters: [String: Double] = [:], rate: Double = 44100, channels: Int = 1
  ) throws -> UnitRenderer {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == unit })
    return try UnitRenderer(
      type, inputWidths: [channels], options: options, parameters: parameters, sampleRate: rate)
  }

  /// The steady output for a tone of `cycles` cycles in 4096 frames.
  private func tone(cycles: Int, _ renderer: UnitRenderer, level: Double = 1) -> [Float] {
    let input = (0..<8 * 4096).map {
      Float(level * sin(2 * Double.pi * Double(cycles * $0 % 4096) / 4096))
    }
    return Array(renderer.render([input], blocks: [1024])[0].suffix(4096))
  }

  @Test(
    arguments: ["tape", "tube", "transistor", "soft", "hard", "fold"], [(465, -90.0), (837, -70)])
  func `makes harmonics and almost nothing else`(_ curve: String, _ limit: (Int, Double)) throws {
    // Tones of 5 and of 9 kHz at full scale.
    let renderer = try renderer(options: ["curve": .text(curve)], parameters: ["drive": 12])
    let rest = inharmonic(tone(cycles: limit.0, renderer), cycles: limit.0)
    #expect(rest < limit.1, "\(curve): \(rest) dB")
  }

  @Test(arguments: ["tape", "tube", "transistor", "soft", "hard", "fold"])
  func `keeps the level of a quiet signal`(_ curve: String) throws {
    let renderer = try renderer(options: ["curve": .text(curve)], parameters: ["drive": 0])
    let output = tone(cycles: 100, renderer, level: 0.001)
    let level = 20 * log10(Double(output.map(\.magnitude).max() ?? 0) / 0.001)
    #expect(abs(level) < 0.03, "\(level) dB")
  }

  @Test func `bends a wave along its curve`() throws {
    let renderer = try renderer(
      options: ["curve": .text("soft"), "oversampling": .text("off")], parameters: ["drive": 6])
    let input: [Float] = [-1, -0.5, 0, 0.25, 1]
    let drive = pow(10, 6.0 / 20)
    for (sample, output) in zip(input, renderer.render([input])[0]) {
      let bent = Double(sample) * drive
      let makeup = (8.9 + drive) / (9.9 * drive)
      #expect(abs(Double(output) - makeup * bent / (1 + bent * bent).squareRoot()) < 1e-6)
    }
  }

  @Test func `gives even harmonics with the tube alone`() throws {
    func second(_ curve: String) throws -> Double {
      let output = tone(
        cycles: 50, try renderer(options: ["curve": .text(curve)], parameters: ["drive": 12]))
      var (sine, cosine) = (0.0, 0.0)
      for (index, sample) in output.enumerated() {
        let turn = 2 * Double.pi * Double(100 * index % 4096) / 4096
        sine += Double(sample) * sin(turn)
        cosine += Double(sample) * cos(turn)
      }
      return 20 * log10(max((sine * sine + cosine * cosine).squareRoot() / 2048, 1e-9))
    }
    #expect(try second("tube") > -40)
    #expect(try second("soft") < -100)
  }

  @Test func `is a clipper that cuts at its threshold`() throws {
    let renderer = try renderer(
      "clipper", options: ["oversampling": .text("off")],
      parameters: ["threshold": -6, "softness": 0])
    let threshold = Float(pow(10, -6.0 / 20))
    let output = renderer.render([[-1, -0.3, 0, 0.2, 0.4, 1]])[0]
    for (sample, expected) in zip(output, [-threshold, -0.3, 0, 0.2, 0.4, threshold]) {
      #expect(abs(sample - expected) < 1e-6)
    }
    let soft = try self.renderer(
      "clipper", options: ["oversampling": .text("off")],
      parameters: ["threshold": 0, "softness": 1])
    // x - x² / 4 up to 2.
    #expect(abs(soft.render([[0.8]])[0][0] - 0.64) < 1e-6)
  }

  @Test func `exceeds a clipper's threshold only a little when oversampled`() throws {
    let renderer = try renderer("clipper", parameters: ["threshold": -6, "drive": 24])
    let output = renderer.render([Signal.noise(6000, seed: 9)])[0]
    let over = 20 * log10(Double(output.map(\.magnitude).max() ?? 0)) + 6
    #expect(over < 4.5, "\(over) dB")
  }
}

@Suite struct `An amplifier` {
  private func renderer(_ parameters: [String: Double], voice: String = "american") throws
    -> UnitRenderer
  {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "amp" })
    return try UnitRenderer(
      type, inputWidths: [1], options: ["voice": .text(voice)], parameters: parameters)
  }

  @Test func `changes its tone with its controls`() throws {
    func level(_ frequency: Double, _ controls: [String: Double]) throws -> Double {
      let renderer = try renderer(
        ["drive": 0, "power": -12, "sag": 0].merging(controls) { $1 })
      let input = (0..<9600).map {
        Float(0.01 * sin(2 * Double.pi * frequency * Double($0) / 48000))
      }
      let output = renderer.render([input])[0].suffix(4800)
      return 10 * log10(output.reduce(0) { $0 + Double($1) * Double($1) })
    }
    let bass = try level(100, ["bass": 10]) - level(100, ["bass": 0])
    #expect(bass > 5, "\(bass) dB")
    #expect(try level(5000, ["treble": 10]) - level(5000, ["treble": 0]) > 12)
    #expect(try level(500, ["middle": 10]) - level(500, ["middle": 0]) > 2)
  }

  @Test func `sags under a loud signal`() throws {
    func peak(_ sag: Double) throws -> Float {
      let renderer = try renderer(["drive": 30, "power": 12, "sag": sag])
      let input = (0..<9600).map { Float(0.5 * sin(2 * Double.pi * 400 * Double($0) / 48000)) }
      return renderer.render([input])[0].suffix(2400).map(\.magnitude).max() ?? 0
    }
    let ratio = try peak(1) / peak(0)
    #expect(ratio < 0.8, "\(ratio)")
  }
}
