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
    let energy = amplitudes.dropFirst(2).reduce(0) { $0 + $1 * $1 }
    let noise = 2 * rest.reduce(0) { $0 + $1 * $1 } / Double(rest.count)
    thd = Math.squareRoot(energy) / own
    thdPlusNoise = Math.squareRoot(energy + noise) / own
  }

  /// Finds a sine of `step` turns per frame and subtracts it.
  private static func takeOut(
    _ step: Double, of samples: inout [Double]
  ) -> (sin: Double, cos: Double) {
    let turn = Math.sinCos(step * 2 * Double.pi)
    let count = samples.count
    return samples.withUnsafeMutableBufferPointer { samples in
      // The normal equations of a sine and a cosine, which are not quite orthogonal.
      var (ss, cc, sc, xs, xc) = (0.0, 0.0, 0.0, 0.0, 0.0)
      var (sine, cosine) = (0.0, 1.0)
      for frame in 0..<count {
        ss += sine * sine
        cc += cosine * cosine
        sc += sine * cosine
        xs += samples[frame] * sine
        xc += samples[frame] * cosine
        (sine, cosine) = (sine * turn.cos + cosine * turn.sin, cosine * turn.cos - sine * turn.sin)
      }
      let determinant = ss * cc - sc * sc
      var part = (sin: 0.0, cos: cc > 0 ? xc / cc : 0)
      if determinant > 1e-9 * cc * cc {
        part = ((xs * cc - xc * sc) / determinant, (xc * ss - xs * sc) / determinant)
      }
      (sine, cosine) = (0.0, 1.0)
      for frame in 0..<count {
        samples[frame] -= part.sin * sine + part.cos * cosine
        (sine, cosine) = (sine * turn.cos + cosine * turn.sin, cosine * turn.cos - sine * turn.sin)
      }
      return part
    }
  }
}
