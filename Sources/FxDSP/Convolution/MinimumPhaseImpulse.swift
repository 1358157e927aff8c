import FxAudio

/// A minimum-phase filter with given levels at given frequencies. Between the points the level in
/// decibels is linear over the logarithm of the frequency; beyond the ends it is constant.
///
/// By the real cepstrum: A. V. Oppenheim and R. W. Schafer, "Discrete-Time Signal Processing",
/// chapter 13. On the control thread.
package enum MinimumPhaseImpulse {
  /// Half of a transform of at least 0.34 s, which 20 Hz needs; at most 32768 frames.
  package static func tapCount(sampleRate: Double) -> Int { length(sampleRate) / 2 }

  private static func length(_ sampleRate: Double) -> Int {
    var length = 4096
    while Double(length) < 0.34 * sampleRate, length < 65536 { length *= 2 }
    return length
  }

  /// - Parameter points: Hertz and decibels in the order of the frequencies; none is an impulse.
  package static func make(
    _ points: [(frequency: Double, decibels: Double)], sampleRate: Double
  ) -> ImpulseResponse {
    guard !points.isEmpty else { return ImpulseResponse(SoundAsset([[1]])) }
    let length = length(sampleRate)
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
    let count = length / 2
    let fade = count / 4
    let taps = (0..<count).map { frame -> Float in
      let share = Double(max(0, frame - count + fade)) / Double(fade)
      return Float(Double(samples.samples[frame]) * (0.5 + 0.5 * Math.cos(Double.pi * share)))
    }
    return ImpulseResponse(SoundAsset([taps]))
  }

  private static func level(
    _ frequency: Double, _ points: [(frequency: Double, decibels: Double)]
  ) -> Double {
    guard let above = points.firstIndex(where: { $0.frequency >= frequency }) else {
      return points.last?.decibels ?? 0
    }
    guard above > 0 else { return points[0].decibels }
    let (low, high) = (points[above - 1], points[above])
    guard high.frequency > low.frequency else { return high.decibels }
    let share =
      Math.log(frequency / low.frequency) / Math.log(high.frequency / low.frequency)
    return low.decibels + share * (high.decibels - low.decibels)
  }
}
