import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// A looper at 8 kHz, whose buttons are pressed at given frames, each for 50 frames.
struct LoopRun {
  static let sampleRate = 8000.0
  /// Frames of a fade.
  static let fade = 40

  var presses: [String: [Int]] = [:]
  /// Frames during which a button or a switch is on.
  var held: [String: Range<Int>] = [:]
  /// The input is left out of the output unless this says otherwise.
  var parameters: [String: Double] = [:]
  var options: [String: OptionValue] = [:]
  var tempo: TempoMap? = TempoMap(tempo: 120)

  func renderer(channels: Int = 1) throws -> UnitRenderer {
    var motions: [String: UnitRenderer.Motion] = [:]
    for (name, frames) in presses {
      motions[name] = .moving { frame in
        frames.contains { frame >= $0 && frame < $0 + 50 } ? 1 : 0
      }
    }
    for (name, frames) in held { motions[name] = .moving { frames.contains($0) ? 1 : 0 } }
    return try UnitRenderer(
      UnitType(Looper.self), inputWidths: [channels],
      options: ["seconds": .number(1)].merging(options) { $1 },
      parameters: ["through": -.infinity].merging(parameters) { $1 }, motions: motions,
      sampleRate: Self.sampleRate, tempo: tempo)
  }

  /// The output for one channel.
  func callAsFunction(_ input: [Float], blocks: [Int] = [256]) throws -> [Float] {
    try renderer().render([input], blocks: blocks)[0]
  }

  /// The level of a sine in a sound that has whole periods of it, in decibels.
  static func level(_ hertz: Double, _ sound: ArraySlice<Float>) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in sound.enumerated() {
      let angle = 2 * Double.pi * hertz * Double(index) / sampleRate
      real += Double(sample) * Math.cos(angle)
      imaginary += Double(sample) * Math.sin(angle)
    }
    let amplitude =
      2 * Math.squareRoot(real * real + imaginary * imaginary) / Double(sound.count)
    return Math.decibels(amplitude: amplitude)
  }
}
