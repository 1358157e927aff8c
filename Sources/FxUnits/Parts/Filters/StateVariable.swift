package import FxAudio

/// One step of a state-variable filter of second order, whose frequency may change at every frame.
///
/// Source: A. Simper, "Linear trapezoidal integrated SVF" (2013). Used on the render thread.
public enum StateVariable {
  /// The low-pass, band-pass and high-pass outputs. `band` multiplied by the damping has unity gain
  /// at the filter's frequency.
  public typealias Parts = (low: Double, band: Double, high: Double)

  /// The damping of a Butterworth filter.
  static var butterworth: Double { @_noLocks get { 1.414_213_562_373_095_1 } }

  // MARK: - Realtime

  /// The slope of a frequency for `step`. The frequency is limited to 0.45 of the sample rate.
  @_noLocks
  package static func slope(_ hertz: Double, sampleRate: Double) -> Double {
    let highest = 0.45 * sampleRate
    return Math.tan(Double.pi * (hertz < highest ? hertz : highest) / sampleRate)
  }

  /// Writes the slope of the frequency at each frame of a part of a block.
  @_noLocks
  package static func slopes(
    _ hertz: ParameterSignal, from start: Int, count: Int, sampleRate: Double,
    into slopes: UnsafeMutablePointer<Float>
  ) {
    if hertz.isConstant {
      let slope = Float(slope(Double(hertz.value), sampleRate: sampleRate))
      for index in 0..<count { slopes[index] = slope }
      return
    }
    for index in 0..<count {
      slopes[index] = Float(slope(Double(hertz[start &+ index]), sampleRate: sampleRate))
    }
  }

  /// Filters a sample.
  ///
  /// - Parameters:
  ///   - state: Two numbers, 0 at the beginning.
  ///   - damping: 1 / Q.
  @_noLocks @inlinable @inline(__always)
  public static func step(
    _ input: Double, _ state: UnsafeMutablePointer<Double>, slope: Double, damping: Double
  ) -> Parts {
    let band = (state[0] + slope * (input - state[1])) / (1 + slope * (slope + damping))
    let low = state[1] + slope * band
    state[0] = 2 * band - state[0]
    state[1] = 2 * low - state[1]
    return (low, band, input - damping * band - low)
  }

  /// Filters a sample of each of two channels; parts as in `step` of one.
  ///
  /// - Parameter state: Two pairs of numbers, 0 at the beginning.
  @_noLocks @inlinable @inline(__always)
  public static func step(
    _ input: SIMD2<Double>, _ state: UnsafeMutablePointer<SIMD2<Double>>, slope: Double,
    damping: Double
  ) -> (low: SIMD2<Double>, band: SIMD2<Double>, high: SIMD2<Double>) {
    let band = (state[0] + slope * (input - state[1])) / (1 + slope * (slope + damping))
    let low = state[1] + slope * band
    state[0] = 2 * band - state[0]
    state[1] = 2 * low - state[1]
    return (low, band, input - damping * band - low)
  }
}
