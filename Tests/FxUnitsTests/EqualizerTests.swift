import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `An equalizer` {
  private typealias Band = (options: [String: OptionValue], values: [String: Double])

  private func response(
    _ bands: [Band], options: [String: OptionValue] = [:], channels: Int = 1, length: Int = 8192,
    rate: Double = 44100, input: [[Float]]? = nil
  ) throws -> [[Float]] {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "equalizer" })
    var parameters: [String: Double] = [:]
    for (index, band) in bands.enumerated() {
      for (key, value) in band.values { parameters["bands.\(index + 1).\(key)"] = value }
    }
    let renderer = try UnitRenderer(
      type, inputWidths: [channels], options: options,
      items: bands.map { ListItem(options: $0.options) }, parameters: parameters,
      sampleRate: rate)
    return renderer.render(input ?? (0..<channels).map { _ in Signal.impulse(length, at: 0) })
  }

  private func level(_ response: [Float], _ frequency: Double, rate: Double = 44100) -> Double {
    var (re, im) = (0.0, 0.0)
    for (index, sample) in response.enumerated() where sample != 0 {
      let turn = 2 * Double.pi * frequency * Double(index) / rate
      re += Double(sample) * cos(turn)
      im += Double(sample) * sin(turn)
    }
    return 10 * log10(max(re * re + im * im, 1e-30))
  }

  private func band(
    _ type: String, _ frequency: Double, _ gain: Double = 0, _ q: Double = 0.707_106_781,
    order: Int = 2, channels: String = "all"
  ) -> Band {
    (
      ["type": .text(type), "order": .number(Double(order)), "channels": .text(channels)],
      ["frequency": frequency, "gain": gain, "q": q]
    )
  }

  /// The level of the analog prototype in decibels.
  private func analog(_ type: String, _ f0: Double, _ gain: Double, _ q: Double, at f: Double)
    -> Double
  {
    let a = pow(10, gain / 40)
    let x = f / f0
    func power(_ n2: Double, _ n1: Double, _ n0: Double) -> Double {
      (n0 - n2 * x * x) * (n0 - n2 * x * x) + n1 * n1 * x * x
    }
    let (top, bottom): (Double, Double)
    switch type {
    case "peak": (top, bottom) = (power(1, a / q, 1), power(1, 1 / (a * q), 1))
    case "lowShelf":
      (top, bottom) = (a * a * power(1, sqrt(a) / q, a), power(a, sqrt(a) / q, 1))
    case "highShelf":
      (top, bottom) = (a * a * power(a, sqrt(a) / q, 1), power(1, sqrt(a) / q, a))
    case "lowPass": (top, bottom) = (1, power(1, 1 / q, 1))
    default: (top, bottom) = (power(1, 0, 0), power(1, 1 / q, 1))
    }
    return 10 * log10(top / bottom)
  }

  @Test(arguments: ["peak", "lowShelf", "highShelf", "lowPass", "highPass"])
  func `keeps the analog level up to 18 kHz`(_ type: String) throws {
    for f0 in [150.0, 1000, 5000, 12000, 16000] {
      for gain in type.hasSuffix("Pass") ? [0] : [-12.0, 6, 18] {
        for q in [0.5, 0.707, 1] {
          let output = try response(
            [band(type, f0, gain, q)], options: ["response": .text("analog")], length: 4096)[0]
          for f in [60, 150, 1000, 4000, 9000, 14000, 18000.0] where f >= f0 / 20 {
            let error = level(output, f) - analog(type, f0, gain, q, at: f)
            #expect(abs(error) < 0.3, "\(type) \(f0) Hz \(gain) dB q \(q) at \(f) Hz: \(error) dB")
          }
        }
      }
    }
  }

  @Test(arguments: 1...8) func `has passes of every order`(_ order: Int) throws {
    let output = try response([band("lowPass", 1000, order: order)])[0]
    #expect(abs(level(output, 1000) + 3.01) < 0.02)
    // The bilinear transform squeezes frequencies: tan(pi f / rate).
    let x = tan(Double.pi * 3000 / 44100) / tan(Double.pi * 1000 / 44100)
    #expect(abs(level(output, 3000) + 10 * log10(1 + pow(x, 2 * Double(order)))) < 0.1)
  }

  @Test func `has shelves of first order and a tilt`() throws {
    let low = try response([band("lowShelf", 1000, 12, order: 1)])[0]
    #expect(abs(level(low, 30) - 12) < 0.1)
    #expect(abs(level(low, 1000) - 6) < 0.05)
    #expect(abs(level(low, 20000)) < 0.1)
    let high = try response([band("highShelf", 1000, -12, order: 1)])[0]
    #expect(abs(level(high, 30)) < 0.1)
    #expect(abs(level(high, 1000) + 6) < 0.05)
    let tilt = try response([band("tilt", 800, 5)])[0]
    #expect(abs(level(tilt, 20) + 5) < 0.1)
    #expect(abs(level(tilt, 800)) < 0.02)
    #expect(abs(level(tilt, 19000) - 5) < 0.1)
  }

  @Test func `filters the middle, the sides or one channel`() throws {
    let (left, right) = (Signal.noise(3000, seed: 1), Signal.noise(3000, seed: 2))
    let same = [left, left]
    let opposite = [left, left.map { -$0 }]
    func render(_ channels: String, _ input: [[Float]]) throws -> [[Float]] {
      try response(
        [band("peak", 1000, 12, 1, channels: channels)], channels: 2, input: input)
    }
    let filtered = try render("all", [left, right])
    #expect(try Measured.difference(render("side", same)[0], left) < -120)
    #expect(try Measured.difference(render("mid", opposite)[1], opposite[1]) < -120)
    #expect(try Measured.difference(render("mid", same)[1], filtered[0]) < -120)
    #expect(try Measured.difference(render("side", opposite)[0], filtered[0]) < -120)
    let onlyRight = try render("right", [left, right])
    #expect(onlyRight[0] == left)
    #expect(Measured.difference(onlyRight[1], filtered[1]) < -120)
  }

  @Test func `follows a curve between its points`() throws {
    let output = try response(
      [], options: ["curve": .text("20 0; 100 6; 1000 -3; 10000 4")], length: 16384)[0]
    for (f, wanted) in [
      (20.0, 0.0), (50, 3.416), (100, 6), (316.23, 1.5), (1000, -3), (5000, 1.893), (15000, 4),
    ] {
      let found = level(output, f)
      #expect(abs(found - wanted) < 0.1, "\(f) Hz: \(found) dB for \(wanted) dB")
    }
    // Minimum phase: the largest sample is the first.
    #expect(output.firstIndex { $0.magnitude == output.map(\.magnitude).max() } == 0)
  }

  @Test func `filters some channels by name or number`() throws {
    let input = (0..<6).map { Signal.noise(2000, seed: UInt64($0 + 1)) }
    let peak = band("peak", 1000, 12, 1)
    let all = try response([peak], channels: 6, input: input)
    let some = try response(
      [band("peak", 1000, 12, 1, channels: "LFE 2 SR?")], channels: 6, input: input)
    // Without side channels, the back ones are meant.
    for channel in 0..<6 {
      #expect(some[channel] == ([1, 3, 5].contains(channel) ? all : input)[channel], "\(channel)")
    }
    let none = try response(
      [band("peak", 1000, 12, 1, channels: "LFE?"), peak], channels: 2, input: [input[0], input[1]])
    #expect(none == [all[0], all[1]])
  }

  @Test func `has levels for channels`() throws {
    let input = [Signal.noise(500, seed: 1), Signal.noise(500, seed: 2)]
    let output = try response(
      [band("level", 1000, -6, channels: "FR")], channels: 2, input: input)
    #expect(output[0] == input[0])
    let scaled = input[1].map { Float(Double($0) * pow(10, -6.0 / 20)) }
    #expect(Measured.difference(output[1], scaled) < -120)
  }

  @Test func `adds curves up, each for its channels`() throws {
    let output = try response(
      [], options: ["curve": .text("100 2; 1000 0 | FL: 50 -1; 500 1 | FR 9?: 20 3")],
      channels: 2, length: 16384)
    for (f, left, right) in [(30.0, 1.0, 5.0), (100, 1.602, 5), (1000, 1, 3), (9000, 1, 3)] {
      #expect(abs(level(output[0], f) - left) < 0.05, "\(f) Hz: \(level(output[0], f))")
      #expect(abs(level(output[1], f) - right) < 0.05, "\(f) Hz: \(level(output[1], f))")
    }
  }

  @Test func `refuses invalid bands`() throws {
    #expect(throws: Failure.self) { try response([band("peak", 1000, channels: "LFE")]) }
    #expect(throws: Failure.self) { try response([], options: ["curve": .text("XX: 100 1")]) }
    #expect(throws: Failure.self) {
      try response([], options: ["curve": .text("LFE: 100 1")], channels: 2)
    }
    #expect(throws: Failure.self) { try response([band("peak", 1000, order: 4)]) }
    #expect(throws: Failure.self) { try response([band("lowShelf", 1000, order: 3)]) }
    #expect(throws: Failure.self) { try response([band("peak", 1000, channels: "mid")]) }
    #expect(throws: Failure.self) { try response([], options: ["curve": .text("100")]) }
  }
}
