import FxAudio

/// The distortion of a tone: its harmonics and everything else that was not in the input.
///
/// It fits a sine at the frequency and at each harmonic below half the sample rate, up to the
/// twentieth, by least squares. The rest is noise. Ratios are relative to the fundamental (THD_F).
package struct Distortion: Sendable, Equatable {
  /// The fundamental's amplitude, in dB of full scale.
  package let fundamental: Double
  /// For each harmonic from the second on, dB relative to the fundamental.
  package let harmonics: [Double]
  /// For each harmonic, the mean level at six frequencies beside it, dB relative to the
  /// fundamental: noise, and the traces of a tone whose level moves.
  package let floors: [Double]
  /// The amplitude of all harmonics together, divided by that of the fundamental: 0.01 is 1 %.
  package let thd: Double
  /// The same for everything except the fundamental and DC.
  package let thdPlusNoise: Double

  /// - Parameters:
  ///   - samples: The steady part of the tone, without its beginning and end; at least ten periods.
  ///   - frequency: The exact frequency of the tone in hertz.
  ///
  /// nil when these conditions are not met, or there is no tone.
  package init?(_ samples: [Float], frequency: Double, sampleRate: Double) {
    let step = frequency / sampleRate
    guard step.isFinite, step > 0, step < 0.5, step * Double(samples.count) >= 10,
      samples.allSatisfy({ $0.isFinite })
    else { return nil }
    let count = min(Int(0.5 / step), 20)
    var rest = samples.map { Double($0) }
    // DC is the multiple 0. Sines are nearly orthogonal: each round multiplies the error by about 1
    // / periods.
    let multiples = (0...max(count, 1)).filter { Double($0) * step < 0.5 }
    var sines = [(sin: Double, cos: Double)](repeating: (0, 0), count: multiples.count)
    for _ in 0..<5 {
      for multiple in multiples {
        let part = Self.takeOut(step * Double(multiple), of: &rest)
        sines[multiple].sin += part.sin
        sines[multiple].cos += part.cos
      }
    }
    let amplitudes = sines.map { Math.squareRoot($0.sin * $0.sin + $0.cos * $0.cos) }
    let own = amplitudes[1]
    guard own > 0 else { return nil }
    fundamental = Math.decibels(amplitude: own)
    harmonics = amplitudes.dropFirst(2).map { Math.decibels(amplitude: $0 / own) }
    // The trace of a changing level is strongest at whole distances from the tone, in bins.
    let bin = 1 / Double(rest.count)
    floors = multiples.dropFirst(2).map { multiple in
      let powers = [-2, -1.5, -1, 1, 1.5, 2].map { step * Double(multiple) + $0 * bin }
        .filter { $0 > 0 && $0 < 0.5 }.map { place -> Double in
          let part = Self.sine(place, in: rest)
          return part.sin * part.sin + part.cos * part.cos
        }
      let mean = powers.reduce(0, +) / Double(max(powers.count, 1))
      return Math.decibels(amplitude: Math.squareRoot(mean) / own)
    }
    let energy = amplitudes.dropFirst(2).reduce(0) { $0 + $1 * $1 }
    let noise = 2 * rest.reduce(0) { $0 + $1 * $1 } / Double(rest.count)
    thd = Math.squareRoot(energy) / own
    thdPlusNoise = Math.squareRoot(energy + noise) / own
  }

  /// The harmonics that rise at least 6 dB above their floor; minus infinity for the others.
  package var clearHarmonics: [Double] {
    zip(harmonics, floors).map { $0 > $1 + 6 ? $0 : -.infinity }
  }

  /// `thd` of `clearHarmonics`.
  package var clearTHD: Double {
    Math.squareRoot(
      clearHarmonics.reduce(0) { $0 + ($1.isFinite ? Math.exp2($1 / 3.010_299_957) : 0) })
  }

  /// The change of the fundamental's level from the first to the second half of a tone, in dB, each
  /// of whole periods; 0 if there are too few periods or there is no tone.
  static func movement(of samples: [Float], frequency: Double, sampleRate: Double) -> Double {
    let step = frequency / sampleRate
    guard step.isFinite, step > 0, step < 0.5, samples.allSatisfy(\.isFinite) else { return 0 }
    let periods = (step * Double(samples.count) / 2).rounded(.down)
    let count = Int((periods / step).rounded())
    guard periods >= 4, 2 * count <= samples.count else { return 0 }
    let amplitudes = [0, count].map { start -> Double in
      let part = sine(step, in: samples[start..<start + count].map { Double($0) })
      return Math.squareRoot(part.sin * part.sin + part.cos * part.cos)
    }
    guard amplitudes[0] > 0, amplitudes[1] > 0 else { return 0 }
    return Math.decibels(amplitude: amplitudes[1] / amplitudes[0])
  }

  /// Finds a sine of `step` turns per frame and subtracts it.
  private static func takeOut(
    _ step: Double, of samples: inout [Double]
  ) -> (sin: Double, cos: Double) {
    let part = sine(step, in: samples)
    let turn = Math.sinCos(step * 2 * Double.pi)
    samples.withUnsafeMutableBufferPointer { samples in
      var (sine, cosine) = (0.0, 1.0)
      for frame in samples.indices {
        samples[frame] -= part.sin * sine + part.cos * cosine
        (sine, cosine) = (sine * turn.cos + cosine * turn.sin, cosine * turn.cos - sine * turn.sin)
      }
    }
    return part
  }

  /// The sine of `step` turns per frame that fits best.
  private static func sine(_ step: Double, in samples: [Double]) -> (sin: Double, cos: Double) {
    let turn = Math.sinCos(step * 2 * Double.pi)
    return samples.withUnsafeBufferPointer { samples in
      // The normal equations of a sine and a cosine, which are not quite orthogonal.
      var (ss, cc, sc, xs, xc) = (0.0, 0.0, 0.0, 0.0, 0.0)
      var (sine, cosine) = (0.0, 1.0)
      for sample in samples {
        ss += sine * sine
        cc += cosine * cosine
        sc += sine * cosine
        xs += sample * sine
        xc += sample * cosine
        (sine, cosine) = (sine * turn.cos + cosine * turn.sin, cosine * turn.cos - sine * turn.sin)
      }
      let determinant = ss * cc - sc * sc
      guard determinant > 1e-9 * cc * cc else { return (0, cc > 0 ? xc / cc : 0) }
      return ((xs * cc - xc * sc) / determinant, (xc * ss - xs * sc) / determinant)
    }
  }
}
