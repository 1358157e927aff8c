import FxAudio

/// A point of a level curve, in hertz and decibels.
struct CurvePoint: Hashable, Sendable {
  package let frequency: Double
  package let decibels: Double
}

/// A minimum-phase filter with given levels at given frequencies. Between the points the level in
/// decibels is linear over the logarithm of the frequency; beyond the ends it is constant.
///
/// By the real cepstrum: A. V. Oppenheim and R. W. Schafer, "Discrete-Time Signal Processing",
/// chapter 13. On the control thread.
enum MinimumPhaseImpulse {
  /// How many taps follow a curve. A curve with bends below 100 Hz needs many.
  package enum Length: String, CaseIterable, Sendable {
    /// At least 0.17 s: 0.2 dB from the curve at 25 Hz where it bends by 10 dB an octave.
    case short
    /// At least 0.68 s, twice as long as in Equalizer APO: 0.03 dB there.
    case long
  }

  private static let limit = 32768

  /// Taps for a sample rate; at most 32768.
  static func tapCount(_ size: Length, sampleRate: Double) -> Int {
    var count = 2048
    while Double(count) < 0.17 * sampleRate, count < limit { count *= 2 }
    return size == .long ? min(4 * count, limit) : count
  }

  /// The frames of the transform; a long filter is designed with more, against aliasing in time.
  private static func length(_ size: Length, _ tapCount: Int) -> Int {
    size == .long ? min(4 * tapCount, 2 * limit) : 2 * tapCount
  }

  /// The taps of a curve.
  ///
  /// - Parameter points: In the order of the frequencies; none is an impulse.
  package static func taps(
    _ points: [CurvePoint], _ size: Length, sampleRate: Double
  ) -> [Float] {
    let count = tapCount(size, sampleRate: sampleRate)
    guard !points.isEmpty else { return [1] + [Float](repeating: 0, count: count - 1) }
    let length = length(size, count)
    let transform = RealTransform(length: length)
    let bins = transform.binCount
    let real = SampleBuffer(count: bins)
    let imaginary = SampleBuffer(count: bins)
    let samples = SampleBuffer(count: length)
    for bin in 0..<bins {
      // The natural logarithm of the amplitude.
      real.samples[bin] = Float(
        0.115_129_254_649_702_3
          * level(Double(bin) * sampleRate / Double(length), points))
    }
    transform.inverse(real: real.samples, imaginary: imaginary.samples, to: samples.samples)
    for frame in 1..<length / 2 { samples.samples[frame] *= 2 }
    for frame in length / 2 + 1..<length { samples.samples[frame] = 0 }
    transform.forward(samples.samples, real: real.samples, imaginary: imaginary.samples)
    for bin in 0..<bins {
      let amplitude = Math.exp(Double(real.samples[bin]))
      let (sine, cosine) = Math.sinCos(Double(imaginary.samples[bin]))
      real.samples[bin] = Float(amplitude * cosine)
      imaginary.samples[bin] = Float(amplitude * sine)
    }
    transform.inverse(real: real.samples, imaginary: imaginary.samples, to: samples.samples)
    let fade = count / 4
    return (0..<count).map { frame -> Float in
      let share = Double(max(0, frame - count + fade)) / Double(fade)
      return Float(Double(samples.samples[frame]) * (0.5 + 0.5 * Math.cos(Double.pi * share)))
    }
  }

  /// The sum of curves: linear between the points of all of them, as each curve is.
  package static func sum(_ curves: [[CurvePoint]]) -> [CurvePoint] {
    guard curves.count > 1 else { return curves.first ?? [] }
    let frequencies = Set(curves.joined().map(\.frequency)).sorted()
    return frequencies.flatMap { frequency in
      let below = curves.reduce(0) { $0 + level(frequency, $1) }
      // At a frequency given twice, a curve jumps.
      let above = curves.reduce(0) { sum, curve in
        let next = firstIndex(curve) { $0.frequency > frequency }
        let isPoint = next > 0 && curve[next - 1].frequency == frequency
        return sum + (isPoint ? curve[next - 1].decibels : level(frequency, curve))
      }
      let levels = below == above ? [below] : [below, above]
      return levels.map { CurvePoint(frequency: frequency, decibels: $0) }
    }
  }

  private static func level(_ frequency: Double, _ points: [CurvePoint]) -> Double {
    let above = firstIndex(points) { $0.frequency >= frequency }
    guard above < points.count else { return points.last?.decibels ?? 0 }
    guard above > 0 else { return points[0].decibels }
    let (low, high) = (points[above - 1], points[above])
    guard high.frequency > low.frequency else { return high.decibels }
    let share =
      Math.log(frequency / low.frequency) / Math.log(high.frequency / low.frequency)
    return low.decibels + share * (high.decibels - low.decibels)
  }

  /// The index of the first point that fits; all behind it fit too.
  private static func firstIndex(
    _ points: [CurvePoint], where fits: (CurvePoint) -> Bool
  ) -> Int {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if fits(points[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
