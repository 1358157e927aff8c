import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// Notes of a bass and a guitar, with spectra that mislead a pitch detector. `scripts/measure-units
/// tuner` measures 2,000 of them.
@Suite struct `A tuner that hears notes` {
  /// The amplitudes of the harmonics.
  static let instruments: [String: [Double]] = [
    "guitar": [1, 0.8, 0.5, 0.35, 0.25, 0.2, 0.12], "bass": [0.3, 1, 0.7, 0.4, 0.2, 0.1],
    "weak fundamental": [0.01, 0.6, 1, 0.5, 0.4, 0.3], "no fundamental": [0, 0.7, 1, 0.6, 0.5],
    "flute": [1, 0.1, 0.03], "clarinet": [1, 0.03, 0.7, 0.03, 0.4, 0.03, 0.2],
  ]

  /// A note with noise 20 dB below it and a vibrato of 5 Hz.
  private func note(
    _ hertz: Double, _ amplitudes: [Double], rate: Double, seconds: Double, vibrato: Double = 0
  ) -> [Float] {
    let shares = amplitudes.enumerated().filter { Double($0.offset + 1) * hertz < 0.47 * rate }
    let power = shares.reduce(0) { $0 + $1.element * $1.element / 2 }
    let level = 0.2 / Math.squareRoot(power)
    let count = Int(seconds * rate)
    let noise = Signal.noise(
      count, seed: UInt64(hertz * 100), amplitude: 0.02 * 1.732)
    var turns = 0.0
    return (0..<count).map { frame in
      let cents = vibrato * Math.sin(2 * Double.pi * 5 * Double(frame) / rate)
      turns += hertz * Math.pow(2, cents / 1200) / rate
      var sum = 0.0
      for (index, amplitude) in shares {
        let phase = Double(index * index) * 0.37
        let place = (Double(index + 1) * turns + phase).truncatingRemainder(dividingBy: 1)
        sum += amplitude * Math.sin(2 * Double.pi * place)
      }
      return Float(level * sum) + noise[frame]
    }
  }

  private func readings(_ samples: [Float], _ rate: Double) -> [(cents: Double, clarity: Double)] {
    var detector = PitchDetector(sampleRate: rate)
    var found: [(Double, Double)] = []
    for sample in samples where detector.take(sample) && detector.frequency > 0 {
      found.append((1200 * Math.log2(detector.frequency), detector.clarity))
    }
    return found
  }

  @Test(arguments: [30.868, 41.203, 82.407, 246.94, 523.25, 1046.5, 1318.51])
  func `names the note, never its octave, within a cent`(_ hertz: Double) throws {
    for (name, amplitudes) in Self.instruments {
      for rate in hertz < 100 ? [8000.0, 48000] : [8000, 11025, 44100, 192_000] {
        // A second harmonic alone is a note of its own.
        if amplitudes[0] < 0.1, 3 * hertz > 0.4 * rate { continue }
        let sound = note(hertz, amplitudes, rate: rate, seconds: hertz < 50 ? 0.42 : 0.3)
        let clear = readings(sound, rate).filter { $0.clarity > 0.9 }
        let errors = clear.map { $0.cents - 1200 * Math.log2(hertz) }
        #expect(errors.allSatisfy { abs($0) < 50 }, "\(name) at \(rate): \(errors)")
        #expect(abs(errors.last ?? 1000) <= 1, "\(name) at \(rate): \(errors)")
      }
    }
  }

  @Test(arguments: [20.0, 50], [110.0, 440])
  func `has the mean pitch of a vibrato`(_ vibrato: Double, _ hertz: Double) throws {
    let amplitudes = try #require(Self.instruments["guitar"])
    // Readings come every 40 ms; 15 of them are three turns of the vibrato.
    let sound = note(hertz, amplitudes, rate: 8000, seconds: 0.8, vibrato: vibrato)
    let last = readings(sound, 8000).suffix(15)
    let mean = last.reduce(0) { $0 + $1.cents } / Double(last.count)
    let error = mean - 1200 * Math.log2(hertz)
    #expect(last.count == 15 && abs(error) <= 1, "\(error): \(last)")
  }

  @Test func `hears a note above an offset`() throws {
    let samples = Signal.tone(110, decibels: -30, 24000).map { $0 + 0.3 }
    let last = try #require(readings(samples, 48000).last)
    #expect(abs(last.cents - 1200 * Math.log2(110)) < 1)
  }

  @Test(arguments: [8000.0, 22050, 48000, 192_000])
  func `hears pitches from 25 Hz to 1600 Hz at every sample rate`(_ rate: Double) throws {
    for hertz in [26.0, 1600] {
      let found = readings(Signal.tone(hertz, sampleRate: rate, Int(0.26 * rate)), rate)
      let last = try #require(found.last)
      #expect(abs(last.cents - 1200 * Math.log2(hertz)) < 0.5)
      #expect(last.clarity > 0.99 && last.clarity <= 1)
    }
    // 20 Hz is below the longest period.
    #expect(readings(Signal.tone(20, sampleRate: rate, Int(0.2 * rate)), rate).isEmpty)
  }
}
