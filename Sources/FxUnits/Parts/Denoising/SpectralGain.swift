import CKernels
import FxAudio

/// The gain of a bin for its signal-to-noise ratio: the minimum mean-square error estimator of the
/// log amplitude.
///
/// Source: Y. Ephraim and D. Malah, "Speech enhancement using a minimum mean-square error
/// log-spectral amplitude estimator", IEEE Trans. ASSP 33 (1985). Allocated on the control thread,
/// used on the render thread.
struct SpectralGain: ~Copyable {
  /// exp(E1(v) / 2) for v = 2^-12 … 2^6, eight values per octave.
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

  /// E1(v): by its series up to 1, by its continued fraction above.
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

  /// The gains for power ratios of signal to noise: the expected ratios (`prior`), and those of
  /// this piece (`posterior`).
  @_noLocks @inline(__always)
  func gain(prior: SIMD8<Float>, posterior: SIMD8<Float>) -> SIMD8<Float> {
    let share = prior / (1 + prior)
    let v = fx_max8(share * posterior, SIMD8(repeating: 1e-9))
    let last = Float(Self.count &- 2)
    let place = fx_min8(
      fx_max8(8 * (Math.log2(v) - Self.lowest), SIMD8(repeating: 0)), SIMD8(repeating: last))
    var (low, high, rest) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
    for lane in 0..<8 {
      let index = Int(place[lane])
      rest[lane] = place[lane] - Float(index)
      low[lane] = table.samples[index]
      high[lane] = table.samples[index &+ 1]
    }
    return fx_min8(share * (low + rest * (high - low)), SIMD8(repeating: 1))
  }
}
