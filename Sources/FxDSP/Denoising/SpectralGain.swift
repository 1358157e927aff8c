import FxAudio

/// How much of a bin is let through that has so much noise in it: the estimator of the logarithm of
/// the amplitude with the least mean square error.
///
/// Source: Y. Ephraim and D. Malah, "Speech enhancement using a minimum mean-square error
/// log-spectral amplitude estimator", IEEE Trans. ASSP 33 (1985). Allocated on the control thread,
/// used on the render thread.
struct SpectralGain: ~Copyable {
  /// exp(E1(v) / 2) for v = 2^-12 … 2^6, eight values an octave.
  private let table: SampleBuffer
  private static var lowest: Float { @_noLocks get { -12 } }
  private static var count: Int { @_noLocks get { 18 * 8 + 1 } }

  init() {
    table = SampleBuffer(count: Self.count)
    for index in 0..<Self.count {
      let v = Math.exp2(Double(Self.lowest) + Double(index) / 8)
      table.samples[index] = Float(Math.exp(0.5 * Self.exponentialIntegral(v)))
    }
  }

  static var byteCount: Int { SampleBuffer.byteCount(count: count) }

  /// E1(v): the series up to 1, the continued fraction beyond.
  private static func exponentialIntegral(_ v: Double) -> Double {
    if v <= 1 {
      var (sum, term) = (-0.577_215_664_901_532_9 - Math.log(v), 1.0)
      for k in 1...24 {
        term *= -v / Double(k)
        sum -= term / Double(k)
      }
      return sum
    }
    var fraction = v
    for k in (1...60).reversed() { fraction = v + Double(k) / (1 + Double(k) / fraction) }
    return Math.exp(-v) / fraction
  }

  // MARK: - Realtime

  /// The gain for signal-to-noise ratios of power: the expected one, and the one of this piece.
  @_noLocks
  func gain(prior: Float, posterior: Float) -> Float {
    let share = prior / (1 + prior)
    let v = share * posterior
    let place = 8 * (Math.log2(v > 1e-9 ? v : 1e-9) - Self.lowest)
    let last = Float(Self.count &- 1)
    let bounded = place > 0 ? (place < last ? place : last) : 0
    let index = min(Int(bounded), Self.count &- 2)
    let rest = bounded - Float(index)
    let value =
      table.samples[index] + rest * (table.samples[index &+ 1] - table.samples[index])
    let gain = share * value
    return gain < 1 ? gain : 1
  }
}
