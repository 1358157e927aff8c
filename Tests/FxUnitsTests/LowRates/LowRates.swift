import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// What the suites of accuracy at low sample rates share.
enum LowRates {
  /// Telephones, old games, speech, and half of a CD's rate.
  static let all = [8000.0, 11025, 16000, 22050]

  /// A unit at a rate, with its parameters as a chain of that rate limits them.
  static func unit(
    _ id: String, _ rate: Double, widths: [Int] = [1], options: [String: OptionValue] = [:],
    items: [ListItem] = [], _ parameters: [String: Double] = [:],
    motions: [String: UnitRenderer.Motion] = [:], tempo: Double = 120
  ) throws -> UnitRenderer {
    let type = try builtIn(id)
    var values: [String: Double] = [:]
    for slot in type.spec.parameterSlots(items: items) {
      let spec = slot.spec.at(sampleRate: rate)
      let given = parameters[slot.path]
      if let given { #expect(spec.range.contains(given), "\(id).\(slot.path) at \(rate) Hz") }
      values[slot.path] = given ?? spec.defaultValue
    }
    return try UnitRenderer(
      type, inputWidths: widths, options: options, items: items, parameters: values,
      motions: motions, sampleRate: rate, tempo: TempoMap(tempo: tempo))
  }

  /// The largest difference of a sound and a function of the seconds, from a frame on.
  static func difference(
    _ sound: [Float], _ rate: Double, from start: Int = 0, _ expected: (Double) -> Double
  ) -> Double {
    sound.indices.dropFirst(start).reduce(0) { most, frame in
      max(most, abs(Double(sound[frame]) - expected(Double(frame) / rate)))
    }
  }

  static func sine(_ hertz: Double, _ seconds: Double) -> Double {
    let turns = (hertz * seconds).truncatingRemainder(dividingBy: 1)
    return Math.sin(2 * Double.pi * turns)
  }

  static func tone(
    _ hertz: Double, _ rate: Double, decibels: Double = 0, seconds: Double = 1
  ) -> [Float] {
    Signal.tone(hertz, decibels: decibels, sampleRate: rate, Int(seconds * rate))
  }

  static func constant(_ decibels: Double, _ count: Int) -> [Float] {
    Signal.constant(Float(Math.amplitude(decibels: decibels)), count)
  }

  static func level(_ sample: Float) -> Double { Math.decibels(amplitude: Double(abs(sample))) }

  /// The amplitude of one frequency in decibels, through a Hann window.
  static func level(_ sound: some Collection<Float>, at hertz: Double, _ rate: Double) -> Double {
    let count = sound.count
    let windowed = sound.enumerated().map { index, sample in
      sample * Float(1 - Math.cos(2 * Double.pi * (Double(index) + 0.5) / Double(count)))
    }
    let bin = Measured.spectrum(windowed, at: hertz, sampleRate: rate)
    return Math.decibels(amplitude: 2 * bin.magnitude / Double(count))
  }

  /// The frequency of a tone near a guess, from the phases of two halves of a sound.
  static func frequency(_ sound: [Float], near guess: Double, _ rate: Double) -> Double {
    let half = sound.count / 2
    func phase(_ start: Int) -> Double {
      let windowed = (0..<sound.count).map { index -> Float in
        guard index >= start, index < start + half else { return 0 }
        let turn = 2 * Double.pi * (Double(index - start) + 0.5) / Double(half)
        return sound[index] * Float(1 - Math.cos(turn))
      }
      let bin = Measured.spectrum(windowed, at: guess, sampleRate: rate)
      return Math.atan2(bin.sine, bin.cosine)
    }
    var turns = (phase(half) - phase(0)) / (2 * Double.pi)
    turns -= turns.rounded()
    return guess + turns * rate / Double(half)
  }
}
