internal import FxAudio

/// The coefficients of one filter of at most second order, for a `FilterCascade`.
///
/// The filter is the trapezoidal state variable filter: the bilinear transform of an analog
/// prototype with its frequency prewarped. It has the responses of the usual biquads. Its states
/// are the prototype's integrators, so it adds little noise at low frequencies and does not thump
/// while it is tuned, as a biquad does.
///
/// Sources: A. Simper, "Linear Trapezoidal Integrated SVF" (Cytomic 2013), for the structure and
/// the mixes; R. Bristow-Johnson, "Audio EQ Cookbook", for what gain and Q mean.
struct FilterSection: BitwiseCopyable {
  /// State space form, with the first integrator scaled by `g`:
  /// `e = a * (x - s2) - c * s1`, `y = d * x + p * s1 + q * s2`, `s2 += 2 * s1 + e`, `s1 += e`.
  package let a: Double, c: Double, d: Double, p: Double, q: Double
  /// `tan(pi * frequency / sampleRate)`, the scale of the first state.
  package let g: Double
  /// The damping, the inverse of Q.
  package let k: Double

  // MARK: - Realtime

  /// Passes the signal unchanged.
  @_noLocks
  package init() {
    a = 0
    c = 0
    d = 1
    p = 0
    q = 0
    g = 1
    k = 2
  }

  /// Designs a filter.
  ///
  /// - Parameters:
  ///   - frequency: The cutoff, the centre, or the middle of a shelf's slope, in hertz; limited to
  ///     0.49 of the sample rate.
  ///   - quality: Q as in the cookbook; a peak's bandwidth is `frequency / Q` between the points
  ///     of half its gain in decibels. First order has none.
  ///   - amplitude: The gain of a peak or a shelf, linear, above 0.
  ///   - share: The mix of filtered and unfiltered signal, 0...1.
  @_noLocks
  package init(
    _ shape: FilterShape, frequency: Double, quality: Double = 0.707_106_781_186_547_6,
    amplitude: Double = 1, share: Double = 1, sampleRate: Double
  ) {
    let highest = 0.49 * sampleRate
    let lowest = 1e-6 * sampleRate
    let hertz = frequency < highest ? (frequency > lowest ? frequency : lowest) : highest
    let damping = 1 / (quality > 0.01 ? quality : 0.01)
    let level = amplitude > 1e-6 ? amplitude : 1e-6
    var g = Math.tan(Double.pi * hertz / sampleRate)
    var k = damping
    // The output is m0 * input + m1 * band + m2 * low.
    var m0 = 0.0
    var m1 = 0.0
    var m2 = 0.0
    switch shape {
    case .lowPass: m2 = 1
    case .highPass: (m0, m1, m2) = (1, -k, -1)
    case .bandPass: m1 = k
    case .notch: (m0, m1) = (1, -k)
    case .allPass: (m0, m1) = (1, -2 * k)
    case .peak:
      // The cookbook's A is the square root of the amplitude.
      k = damping / Math.squareRoot(level)
      (m0, m1) = (1, k * (level - 1))
    case .lowShelf:
      let root = Math.squareRoot(level)
      g = g / Math.squareRoot(root)
      (m0, m1, m2) = (1, k * (root - 1), level - 1)
    case .highShelf:
      let root = Math.squareRoot(level)
      g = g * Math.squareRoot(root)
      (m0, m1, m2) = (level, k * (1 - root) * root, 1 - level)
    // 1 / (s + 1) as (s + 1) / (s + 1)^2.
    case .gentleLowPass: (k, m1, m2) = (2, 1, 1)
    case .gentleHighPass: (k, m0, m1, m2) = (2, 1, -1, -1)
    // (1 - s) / (s + 1) likewise.
    case .gentleAllPass: (k, m0, m1, m2) = (2, -1, 2, 2)
    // (s + root) / (s + 1 / root), with its pole at s = 1 / root.
    case .gentleLowShelf:
      g = g / Math.squareRoot(level)
      (k, m0, m1, m2) = (2, 1, level - 1, level - 1)
    case .gentleHighShelf:
      g = g * Math.squareRoot(level)
      (k, m0, m1, m2) = (2, level, 1 - level, 1 - level)
    // A high shelf with the gain level², divided by level.
    case .tilt:
      g = g * level
      (k, m0, m1, m2) = (2, level, 1 / level - level, 1 / level - level)
    case .level: m0 = level
    }
    self.init(g: g, k: k, mixes: (m0, m1, m2), share: share)
  }

  /// Designs a filter that keeps the level of its analog prototype up to half the sample rate. A
  /// shape whose level the bilinear transform keeps is designed as above.
  @_noLocks
  package init(
    analog shape: FilterShape, frequency: Double, quality: Double, amplitude: Double,
    share: Double, sampleRate: Double
  ) {
    let highest = 0.49 * sampleRate
    let lowest = 1e-6 * sampleRate
    let hertz = frequency < highest ? (frequency > lowest ? frequency : lowest) : highest
    let steepest = Self.steepest(shape)
    let bounded = quality < steepest ? (quality > 0.01 ? quality : 0.01) : steepest
    let level = amplitude > 1e-6 ? amplitude : 1e-6
    let fit = AnalogSection.design(
      shape, frequency: hertz, quality: bounded, amplitude: level, sampleRate: sampleRate)
    guard let fit, fit.isStable else {
      self.init(
        shape, frequency: frequency, quality: quality, amplitude: amplitude, share: share,
        sampleRate: sampleRate)
      return
    }
    self.init(fit, share: share)
  }

  /// A filter by its coefficients, which must be stable.
  @_noLocks
  init(_ filter: Biquad, share: Double) {
    let (below, above) = (1 + filter.a1 + filter.a2, 1 - filter.a1 + filter.a2)
    let middle = Math.squareRoot(below * above)
    let k = 2 * (1 - filter.a2) / middle
    let high = (filter.b0 - filter.b1 + filter.b2) / above
    let band = 2 * (filter.b0 - filter.b2) / middle
    let low = (filter.b0 + filter.b1 + filter.b2) / below
    self.init(
      g: Math.squareRoot(below / above), k: k, mixes: (high, band - k * high, low - high),
      share: share)
  }

  /// The highest Q that an analog shape is fitted for.
  @_noLocks
  private static func steepest(_ shape: FilterShape) -> Double {
    switch shape {
    case .lowShelf, .highShelf: 2
    default: 1000
    }
  }

  /// From the state variable form: the output is m0 · input + m1 · band + m2 · low.
  @_noLocks
  private init(g: Double, k: Double, mixes: (Double, Double, Double), share: Double) {
    let m0 = 1 + share * (mixes.0 - 1)
    let m1 = share * mixes.1
    let m2 = share * mixes.2
    let scale = 1 / (1 + g * (g + k))
    let alpha = g * g * scale
    let gamma = g * (g + k) * scale
    let mix = m1 / g + m2
    self.g = g
    self.k = k
    a = 2 * alpha
    c = 2 * gamma
    d = m0 + mix * alpha
    p = mix * scale
    q = m2 - mix * alpha
  }

  /// The same filter with its output inverted.
  @_noLocks
  package init(inverting section: FilterSection) {
    (a, c, g, k) = (section.a, section.c, section.g, section.k)
    (d, p, q) = (-section.d, -section.p, -section.q)
  }

  /// The frames until its ringing is below -90 dB, from the radius of its outer pole and the level
  /// at which it begins.
  var ringingFrames: Double {
    @_noLocks get {
      let level = ringingLevel
      if level < 3e-5 { return 0 }
      let square: Double
      if k < 2 {
        square = (1 - g * k + g * g) / (1 + g * k + g * g)
      } else {
        let root = Math.squareRoot(k * k - 4)
        let slow = g * (k - root) / 2
        let fast = g * (k + root) / 2
        let first = (1 - slow) / (1 + slow)
        let second = (1 - fast) / (1 + fast)
        square = first * first > second * second ? first * first : second * second
      }
      if square <= 0 { return 2 }
      // ln(10^(-90 / 20)) over the logarithm of the radius.
      return 2 + 2 * (-10.361_632_918_473_205 - Math.log(level)) / Math.log(square)
    }
  }

  /// A bound of the ringing after a signal of full scale ends, as an amplitude: 0 for a filter that
  /// passes the signal unchanged.
  private var ringingLevel: Double {
    @_noLocks get {
      // The mixes of the state variable form.
      let mix = p * (1 + g * (g + k))
      let low = q + mix * a / 2
      let band = (mix - low) * g
      let resonance = k < 1 ? 1 / k : 1
      // Two poles close together ring longer than each of them.
      let distance = Math.squareRoot(k < 2 ? 1 - k * k / 4 : k * k / 4 - 1)
      let both = distance > 0.07 ? (distance < 1 ? 1 / distance : 1) : 14
      let level = (band < 0 ? -band : band) / k + (low < 0 ? -low : low) * resonance
      return 2 * both * level
    }
  }
}
