import FxAudio

/// Filters of second order that keep the level of their analog prototype up to half the sample
/// rate. The bilinear transform distorts it there.
///
/// The poles are those of the prototype, by impulse invariance. The numerator is a least-squares
/// fit of the relative error of its power at a few frequencies. A peak that cuts, a low shelf that
/// cuts and a high shelf that boosts are the inverse of their opposite. High-passes and notches
/// have the zeros of the prototype, and their poles are fitted. Sources: the form of the power is
/// from M. Vicanek, "Matched second order digital filters" (2016); the fit is ours.
///
/// Callable on the render thread.
struct AnalogSection {
  private struct Prototype {
    /// `(n2 s² + n1 s + n0) / (s² + k s + 1)`, s in units of the pole's frequency.
    var n2: Double
    var n1: Double
    var n0: Double
    var k: Double
    /// The pole's frequency divided by the sample rate.
    var turn: Double

    // MARK: - Realtime

    /// The power at a frequency, given as a fraction of the sample rate.
    @_noLocks
    func power(_ frequency: Double) -> Double {
      let x = frequency / turn
      let square = x * x
      let real = n0 - n2 * square
      let imaginary = n1 * x
      let below = 1 - square
      return (real * real + imaginary * imaginary) / (below * below + k * k * square)
    }
  }

  // MARK: - Realtime

  /// Designs a shape as a digital filter; nil for a shape whose level the bilinear transform keeps.
  @_noLocks
  static func design(
    _ shape: FilterShape, frequency: Double, quality: Double, amplitude: Double,
    sampleRate: Double
  ) -> Biquad? {
    let turn = frequency / sampleRate
    let k = 1 / quality
    switch shape {
    case .peak:
      let level = amplitude > 1 ? amplitude : 1 / amplitude
      let damping = k / Math.squareRoot(level)
      let fit = numerator(
        Prototype(n2: 1, n1: damping * level, n0: 1, k: damping, turn: turn), turn, quality, 1,
        sampleRate)
      return amplitude > 1 ? fit : fit.inverse
    case .lowShelf:
      let level = amplitude > 1 ? amplitude : 1 / amplitude
      let root = Math.squareRoot(level)
      let fit = numerator(
        Prototype(n2: 1, n1: k * root, n0: level, k: k, turn: turn / Math.squareRoot(root)), turn,
        quality, root, sampleRate)
      return amplitude > 1 ? fit : fit.inverse
    case .highShelf:
      let level = amplitude < 1 ? amplitude : 1 / amplitude
      let root = Math.squareRoot(level)
      let fit = numerator(
        Prototype(n2: level, n1: k * root, n0: 1, k: k, turn: turn * Math.squareRoot(root)), turn,
        quality, root, sampleRate)
      return amplitude < 1 ? fit : fit.inverse
    case .lowPass:
      return numerator(
        Prototype(n2: 0, n1: 0, n0: 1, k: k, turn: turn), turn, quality, 1, sampleRate)
    case .gentleLowPass:
      return numerator(Prototype(n2: 0, n1: 1, n0: 1, k: 2, turn: turn), turn, 0.5, 1, sampleRate)
    case .bandPass:
      return numerator(
        Prototype(n2: 0, n1: k, n0: 0, k: k, turn: turn), turn, quality, 1, sampleRate,
        hasZeroBelow: true)
    case .gentleHighPass:
      return numerator(
        Prototype(n2: 1, n1: 1, n0: 0, k: 2, turn: turn), turn, 0.5, 1, sampleRate,
        hasZeroBelow: true)
    case .highPass:
      return denominator(
        Prototype(n2: 1, n1: 0, n0: 0, k: k, turn: turn), turn, quality, zero: -2, sampleRate)
    case .notch:
      return denominator(
        Prototype(n2: 1, n1: 0, n0: 1, k: k, turn: turn), turn, quality,
        zero: -2 * Math.cos(2 * Double.pi * turn), sampleRate)
    case .gentleLowShelf:
      let level = amplitude > 1 ? amplitude : 1 / amplitude
      let root = Math.squareRoot(level)
      let fit = numerator(
        Prototype(n2: 1, n1: 1 + level, n0: level, k: 2, turn: turn / root), turn, 0.5, root,
        sampleRate)
      return amplitude > 1 ? fit : fit.inverse
    case .gentleHighShelf:
      let level = amplitude < 1 ? amplitude : 1 / amplitude
      let root = Math.squareRoot(level)
      let fit = numerator(
        Prototype(n2: level, n1: 1 + level, n0: 1, k: 2, turn: turn * root), turn, 0.5, root,
        sampleRate)
      return amplitude < 1 ? fit : fit.inverse
    case .tilt:
      let level = amplitude < 1 ? amplitude : 1 / amplitude
      let fit = numerator(
        Prototype(n2: level, n1: level + 1 / level, n0: 1 / level, k: 2, turn: turn * level),
        turn, 0.5, level, sampleRate)
      return amplitude < 1 ? fit : fit.inverse
    case .allPass, .gentleAllPass, .level: return nil
    }
  }

  /// A frequency of the fit, divided by the sample rate; 0 where this index has none.
  @_noLocks
  private static func point(
    _ index: Int, _ turn: Double, _ quality: Double, _ root: Double, _ sampleRate: Double
  ) -> Double {
    let highest = min(18000 / sampleRate, 0.49)
    switch index {
    case 0: return 0.3 * turn
    case 1: return 0.6 * turn
    case 2: return 0.85 * turn
    case 3: return turn
    case 4: return 1.15 * turn
    case 5: return 0.5 * (turn + highest)
    case 6: return highest
    case 7: return quality > 1.2 ? turn * (1 + 0.5 / quality) : 0
    case 8: return quality > 1.2 ? turn * (1 - 0.5 / quality) : 0
    case 9: return root == 1 ? 0 : turn * Math.squareRoot(root)
    case 10: return root == 1 ? 0 : turn / Math.squareRoot(root)
    default: return 0.1 * turn
    }
  }

  /// A filter with the poles of the prototype and the numerator that fits best.
  @_noLocks
  private static func numerator(
    _ prototype: Prototype, _ turn: Double, _ quality: Double, _ root: Double,
    _ sampleRate: Double, hasZeroBelow: Bool = false
  ) -> Biquad {
    let angle = 2 * Double.pi * prototype.turn
    let decay = Math.exp(-0.5 * prototype.k * angle)
    let bend = 1 - 0.25 * prototype.k * prototype.k
    let cosine: Double
    if bend >= 0 {
      cosine = Math.cos(angle * Math.squareRoot(bend))
    } else {
      let growth = Math.exp(angle * Math.squareRoot(-bend))
      cosine = 0.5 * (growth + 1 / growth)
    }
    let (a1, a2) = (-2 * decay * cosine, decay * decay)
    var fit = PowerFit(around: turn, hasZeroBelow: hasZeroBelow)
    if !hasZeroBelow {
      fit.add(0, power: prototype.power(0) * PowerFit.power(1, a1, a2, 0), weight: 30)
    }
    for index in 0..<11 {
      let frequency = point(index, turn, quality, root, sampleRate)
      guard frequency > 0, frequency < 0.495 else { continue }
      fit.add(
        frequency, power: prototype.power(frequency) * PowerFit.power(1, a1, a2, frequency),
        weight: 1)
    }
    let b = fit.solution
    return Biquad(b0: b.0, b1: b.1, b2: b.2, a1: a1, a2: a2)
  }

  /// A filter with zeros on the unit circle and the denominator that fits best.
  @_noLocks
  private static func denominator(
    _ prototype: Prototype, _ turn: Double, _ quality: Double, zero: Double, _ sampleRate: Double
  ) -> Biquad {
    var fit = PowerFit(around: turn, hasZeroBelow: false)
    for index in 0..<12 {
      let frequency = point(index, turn, quality, 1, sampleRate)
      guard frequency > 0, frequency < 0.495 else { continue }
      let power = prototype.power(frequency)
      guard power > 1e-9 else { continue }
      fit.add(frequency, power: PowerFit.power(1, zero, 1, frequency) / power, weight: 1)
    }
    let a = fit.solution
    let scale = 1 / a.0
    return Biquad(
      b0: scale, b1: zero * scale, b2: scale, a1: a.1 * scale, a2: a.2 * scale)
  }
}

/// The coefficients of a filter of second order; the first of the denominator is 1.
struct Biquad {
  var b0: Double
  var b1: Double
  var b2: Double
  var a1: Double
  var a2: Double

  // MARK: - Realtime

  /// True when the poles are inside the unit circle.
  var isStable: Bool {
    @_noLocks get { 1 + a1 + a2 > 0 && 1 - a1 + a2 > 0 && a2 < 1 }
  }

  /// The inverse filter.
  var inverse: Biquad {
    @_noLocks get {
      Biquad(b0: 1 / b0, b1: a1 / b0, b2: a2 / b0, a1: b1 / b0, a2: b2 / b0)
    }
  }
}

/// Finds three coefficients whose power fits with the least squared relative error.
///
/// The power of `c0 + c1 z⁻¹ + c2 z⁻²` is a polynomial of second order in `sin²(ω/2)`. The fit
/// divides that variable by its value at the filter's frequency. The terms then have a similar size
/// there, and a narrow filter at a low frequency is as exact as any other.
private struct PowerFit {
  private let hasZeroBelow: Bool
  /// `sin²(ω/2)` at the filter's frequency.
  private let unit: Double
  private var (m00, m01, m02, m11, m12, m22) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
  private var (r0, r1, r2) = (0.0, 0.0, 0.0)

  // MARK: - Realtime

  /// - Parameter turn: The filter's frequency divided by the sample rate.
  @_noLocks
  init(around turn: Double, hasZeroBelow: Bool) {
    self.hasZeroBelow = hasZeroBelow
    let sine = Math.sin(Double.pi * turn)
    unit = sine * sine
  }

  /// The power of a polynomial at a frequency, given as a fraction of the sample rate.
  @_noLocks
  static func power(_ c0: Double, _ c1: Double, _ c2: Double, _ frequency: Double) -> Double {
    let sine = Math.sin(Double.pi * frequency)
    let high = sine * sine
    let low = 1 - high
    let (sum, difference) = (c0 + c1 + c2, c0 - c1 + c2)
    return sum * sum * low + difference * difference * high - 16 * c0 * c2 * low * high
  }

  @_noLocks
  mutating func add(_ frequency: Double, power: Double, weight: Double) {
    guard power > 0 else { return }
    let sine = Math.sin(Double.pi * frequency)
    let place = sine * sine / unit
    let scale = 1 / power
    let (p0, p1, p2) = (hasZeroBelow ? 0 : scale, place * scale, place * place * scale)
    m00 += weight * p0 * p0
    m01 += weight * p0 * p1
    m02 += weight * p0 * p2
    m11 += weight * p1 * p1
    m12 += weight * p1 * p2
    m22 += weight * p2 * p2
    r0 += weight * p0
    r1 += weight * p1
    r2 += weight * p2
  }

  /// The coefficients, with their zeros inside the unit circle.
  var solution: (Double, Double, Double) {
    @_noLocks get {
      // Solved by LDLᵀ; with a zero at 0 Hz there are two unknowns.
      let d0 = hasZeroBelow ? 1 : m00
      let (l1, l2) = (m01 / d0, m02 / d0)
      let d1 = m11 - l1 * m01
      let rest = m12 - l1 * m02
      guard d1 > 0 else { return (1, 0, 0) }
      let l3 = rest / d1
      let d2 = m22 - l2 * m02 - l3 * rest
      guard d2 > 0 else { return (1, 0, 0) }
      let y1 = r1 - l1 * r0
      let x2 = (r2 - l2 * r0 - l3 * y1) / d2
      let x1 = y1 / d1 - l3 * x2
      let x0 = hasZeroBelow ? 0 : r0 / d0 - l1 * x1 - l2 * x2
      // With s = c0 + c2 and d = c0 - c2 the power is (below - 2 s x)² + 4 d² x (1 - x) for x =
      // sin²(ω/2).
      let (linear, square) = (x1 / unit, x2 / (unit * unit))
      let below = Math.squareRoot(x0 > 0 ? x0 : 0)
      let end = x0 + linear + square
      let sum = 0.5 * (below + Math.squareRoot(end > 0 ? end : 0))
      let spread = 0.25 * linear + sum * below
      let difference = Math.squareRoot(spread > 0 ? spread : 0)
      guard sum + difference > 2e-12 else { return (1e-12, 0, 0) }
      return (0.5 * (sum + difference), below - sum, 0.5 * (sum - difference))
    }
  }
}
