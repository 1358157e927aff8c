import CKernels
import FxAudio

/// The bass, middle and treble controls of a guitar amplifier: one passive circuit in which each
/// control affects the others.
///
/// The transfer function of third order is from D. T. Yeh and J. O. Smith, "Discretization of the
/// '59 Fender Bassman tone stack", DAFx-06. The bilinear transform makes it digital.
struct ToneStack: BitwiseCopyable {
  /// The parts of a circuit, in ohms and farads.
  package struct Parts: BitwiseCopyable, Sendable {
    let treblePot: Double
    let bassPot: Double
    let middlePot: Double
    package let slope: Double
    package let treble: Double
    package let bass: Double
    package let middle: Double

    /// American, of 1959.
    static let american = Parts(
      treblePot: 250e3, bassPot: 1e6, middlePot: 25e3, slope: 56e3, treble: 250e-12, bass: 20e-9,
      middle: 20e-9)
    /// British, of the eighties.
    static let british = Parts(
      treblePot: 220e3, bassPot: 1e6, middlePot: 22e3, slope: 33e3, treble: 470e-12, bass: 22e-9,
      middle: 22e-9)
  }

  /// Numerator and denominator of the transfer function in s, constant term first.
  let numerator: (Double, Double, Double, Double)
  package let denominator: (Double, Double, Double, Double)

  // MARK: - Realtime

  /// The circuit with given control positions, each from 0 to 1.
  @_noLocks
  package init(_ parts: Parts, bass: Double, middle: Double, treble: Double) {
    let (t, m) = (treble, middle)
    // The bass control is logarithmic.
    let l = Math.exp(3.4 * (bass - 1))
    let (r1, r2, r3, r4) = (parts.treblePot, parts.bassPot, parts.middlePot, parts.slope)
    let (c1, c2, c3) = (parts.treble, parts.bass, parts.middle)
    let (c12, c13, c23, c123) = (c1 * c2, c1 * c3, c2 * c3, c1 * c2 * c3)

    let b1 = t * c1 * r1 + m * c3 * r3 + l * (c1 + c2) * r2 + (c1 + c2) * r3
    let b2Knobs =
      t * (c12 + c13) * r1 * r4 - m * m * (c13 + c23) * r3 * r3
      + m * (c13 * r1 * r3 + (c13 + c23) * r3 * r3)
    let b2Bass =
      l * (c12 * r1 * r2 + (c12 + c13) * r2 * r4) + l * m * (c13 + c23) * r2 * r3
    let b2 = b2Knobs + b2Bass + (c12 * r1 * r3 + (c12 + c13) * r3 * r4)
    let middlePart = (m - m * m) * c123 * (r1 + r4) * r3 * r3
    let b3Bass = l * m * c123 * (r1 + r4) * r2 * r3 + t * l * c123 * r1 * r2 * r4
    let b3 = b3Bass + middlePart + (t - t * m) * c123 * r1 * r3 * r4
    numerator = (0, b1, b2, b3)

    let a1 =
      c1 * (r1 + r3) + c2 * (r3 + r4) + c3 * r4 + m * c3 * r3 + l * (c1 + c2) * r2
    let a2Knobs =
      m * (c13 * r1 * r3 - c23 * r3 * r4 + (c13 + c23) * r3 * r3)
      + l * m * (c13 + c23) * r2 * r3 - m * m * (c13 + c23) * r3 * r3
    let a2Bass = l * (c12 * r2 * r4 + c12 * r1 * r2 + c13 * r2 * r4 + c23 * r2 * r4)
    let a2Rest =
      (c12 + c13) * r1 * r4 + (c12 + c13) * r3 * r4 + c12 * r1 * r3 + c23 * r3 * r4
    let a3Knobs =
      l * m * c123 * (r1 + r4) * r2 * r3 + middlePart - m * c123 * r1 * r3 * r4
    let a3 = a3Knobs + l * c123 * r1 * r2 * r4 + c123 * r1 * r3 * r4
    denominator = (1, a1, a2Knobs + a2Bass + a2Rest, a3)
  }

  /// The coefficients at a sample rate, in ascending powers of z⁻¹; the first of `a` is 1.
  @_noLocks
  func discrete(sampleRate: Double) -> fx_tone_stack {
    let b = Self.bilinear(numerator, sampleRate)
    let a = Self.bilinear(denominator, sampleRate)
    let scale = 1 / a.0
    return fx_tone_stack(
      b: (b.0 * scale, b.1 * scale, b.2 * scale, b.3 * scale),
      a: (1, a.1 * scale, a.2 * scale, a.3 * scale))
  }

  /// A polynomial in s, with s = c (1 - z⁻¹) / (1 + z⁻¹), times (1 + z⁻¹)³.
  @_noLocks
  private static func bilinear(
    _ p: (Double, Double, Double, Double), _ sampleRate: Double
  ) -> (Double, Double, Double, Double) {
    let c = 2 * sampleRate
    let (p1, p2, p3) = (p.1 * c, p.2 * c * c, p.3 * c * c * c)
    return (
      p.0 + p1 + p2 + p3, 3 * p.0 + p1 - p2 - 3 * p3, 3 * p.0 - p1 - p2 + 3 * p3,
      p.0 - p1 + p2 - p3
    )
  }
}
