import FxAudio

/// The filter before a loudness measurement: a shelf for the effect of the head, then a high-pass.
///
/// Render thread. Two channels at once, in doubles.
///
/// Source: ITU-R BS.1770-4, which has coefficients for 48 kHz only. The analog filters for other
/// sample rates are from B. De Man, "Evaluation of Implementations of the EBU R128 Loudness
/// Measurement", AES 145 (2018).
struct KWeighting: BitwiseCopyable {
  /// `y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y''`.
  private struct Section: BitwiseCopyable {
    var b0: Double, b1: Double, b2: Double, a1: Double, a2: Double
    var first = SIMD2<Double>.zero
    var second = SIMD2<Double>.zero

    @_noLocks @inline(__always)
    mutating func process(_ input: SIMD2<Double>) -> SIMD2<Double> {
      let output = b0 * input + first
      first = b1 * input - a1 * output + second
      second = b2 * input - a2 * output
      return output
    }
  }

  private var shelf: Section
  private var highPass: Section

  init(sampleRate: Double) {
    let bound = 0.49 * sampleRate
    let g = Math.tan(Double.pi * min(1681.974450955533, bound) / sampleRate)
    let quality = 0.7071752369554196
    let high = Math.amplitude(decibels: 3.999843853973347)
    let band = Math.amplitude(decibels: 3.999843853973347 * 0.4996667741545416)
    let scale = 1 / (1 + g / quality + g * g)
    shelf = Section(
      b0: (high + band * g / quality + g * g) * scale, b1: 2 * (g * g - high) * scale,
      b2: (high - band * g / quality + g * g) * scale, a1: 2 * (g * g - 1) * scale,
      a2: (1 - g / quality + g * g) * scale)
    let low = Math.tan(Double.pi * min(38.13547087602444, bound) / sampleRate)
    let lowQuality = 0.5003270373238773
    let lowScale = 1 / (1 + low / lowQuality + low * low)
    highPass = Section(
      b0: 1, b1: -2, b2: 1, a1: 2 * (low * low - 1) * lowScale,
      a2: (1 - low / lowQuality + low * low) * lowScale)
  }

  // MARK: - Realtime

  /// Adds the squares of two filtered channels to their sums.
  @_noLocks
  mutating func addSquares(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, count: Int,
    to sums: inout SIMD2<Double>
  ) {
    var (shelf, highPass, sum) = (shelf, highPass, sums)
    for frame in 0..<count {
      let input = SIMD2(
        Double(first[frame].finiteSample), Double(second[frame].finiteSample))
      let output = highPass.process(shelf.process(input))
      sum += output * output
    }
    (self.shelf, self.highPass, sums) = (shelf, highPass, sum)
  }

  @_noLocks
  mutating func clear() {
    shelf.first = .zero
    shelf.second = .zero
    highPass.first = .zero
    highPass.second = .zero
  }
}
