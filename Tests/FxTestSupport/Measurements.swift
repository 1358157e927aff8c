internal import FxAudio

/// Figures about a signal.
package enum Measured {
  package static func peak(_ signal: [Float]) -> Float {
    signal.reduce(0) { max($0, abs($1)) }
  }

  /// The peak in decibels of full scale.
  package static func peakLevel(_ signal: [Float]) -> Double {
    Math.decibels(amplitude: Double(peak(signal)))
  }

  package static func rms(_ signal: some Collection<Float>) -> Double {
    guard !signal.isEmpty else { return 0 }
    let sum = signal.reduce(0.0) { $0 + Double($1) * Double($1) }
    return Math.squareRoot(sum / Double(signal.count))
  }

  /// The RMS in decibels of full scale; a sine of full scale has -3.01 dB.
  package static func rmsLevel(_ signal: some Collection<Float>) -> Double {
    Math.decibels(amplitude: rms(signal))
  }

  /// The level of a system at a frequency, from its impulse response.
  package static func response(
    of impulseResponse: [Float], at hertz: Double, sampleRate: Double = 48000
  ) -> Double {
    Math.decibels(amplitude: spectrum(impulseResponse, at: hertz, sampleRate: sampleRate).magnitude)
  }

  /// One bin of the Fourier transform: magnitude, and phase as a cosine and a sine.
  package static func spectrum(
    _ signal: [Float], at hertz: Double, sampleRate: Double = 48000
  ) -> (magnitude: Double, cosine: Double, sine: Double) {
    let turn = hertz / sampleRate
    var real = 0.0
    var imaginary = 0.0
    for (frame, sample) in signal.enumerated() where sample != 0 {
      let angle = (Double(frame) * turn).truncatingRemainder(dividingBy: 1) * 2 * Double.pi
      let (sine, cosine) = Math.sinCos(angle)
      real += Double(sample) * cosine
      imaginary -= Double(sample) * sine
    }
    let magnitude = Math.squareRoot(real * real + imaginary * imaginary)
    guard magnitude > 0 else { return (0, 1, 0) }
    return (magnitude, real / magnitude, imaginary / magnitude)
  }

  /// The RMS of the difference of two signals, in decibels of full scale.
  package static func difference(_ one: [Float], _ other: [Float]) -> Double {
    rmsLevel(zip(one, other).map { $0 - $1 })
  }

  /// The largest step from one sample to the next.
  package static func largestStep(_ signal: [Float]) -> Float {
    zip(signal, signal.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
  }

  /// A fingerprint of the bits of signals (FNV-1a): equal wherever a render is the same to the bit.
  package static func fingerprint(_ signals: [[Float]]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for signal in signals {
      for sample in signal {
        for shift: UInt32 in [0, 8, 16, 24] {
          hash ^= UInt64(UInt8(truncatingIfNeeded: sample.bitPattern >> shift))
          hash &*= 0x0000_0100_0000_01b3
        }
      }
    }
    return hash
  }
}
