public import CRealtime

// Double precision, for coefficients and control values. Callable on any thread.
extension Math {
  // MARK: - Realtime

  /// The nearest whole number, ties to even, for magnitudes below 2^51.
  @_noLocks @inline(__always)
  private static func nearest(_ x: Double) -> Double {
    (x + 6_755_399_441_055_744) - 6_755_399_441_055_744
  }

  /// `e^r` for a magnitude below 0.35: the Taylor series.
  @_noLocks @inline(__always)
  private static func expNearZero(_ r: Double) -> Double {
    var p = 1.0 / 6_227_020_800
    p = p * r + 1.0 / 479_001_600
    p = p * r + 1.0 / 39_916_800
    p = p * r + 1.0 / 3_628_800
    p = p * r + 1.0 / 362_880
    p = p * r + 1.0 / 40_320
    p = p * r + 1.0 / 5_040
    p = p * r + 1.0 / 720
    p = p * r + 1.0 / 120
    p = p * r + 1.0 / 24
    p = p * r + 1.0 / 6
    p = p * r + 0.5
    return p * r * r + r + 1
  }

  /// 2 to an integer power from -1023 (which gives 0) to 1024 (which gives infinity).
  @_noLocks @inline(__always)
  private static func powerOfTwo(_ n: Double) -> Double {
    // Adding 2^52 leaves the integer in the low bits of the sum.
    Double(bitPattern: (n + 1023 + 4_503_599_627_370_496).bitPattern << 52)
  }

  /// 2 to the power of `x`; 0 below -1022.5, infinite from 1023.5 up, exact at integers.
  ///
  /// Within 4e-16.
  @_noLocks
  public static func exp2(_ x: Double) -> Double {
    if x < -1022.5 { return 0 }
    if x >= 1023.5 { return .infinity }
    if x != x { return x }
    let n = nearest(x)
    return expNearZero((x - n) * 0.693_147_180_559_945_3) * powerOfTwo(n)
  }

  /// `e` to the power of `x`; 0 below -708, infinite from 709 up.
  ///
  /// Within 4e-16.
  @_noLocks
  public static func exp(_ x: Double) -> Double {
    if x < -708 { return 0 }
    if x >= 709 { return .infinity }
    if x != x { return x }
    let n = nearest(x * 1.442_695_040_888_963_4)
    // ln 2 in two parts, the first with enough low zeros for `n *` to be exact.
    let r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33
    return expNearZero(r) * powerOfTwo(n)
  }

  /// The natural logarithm of a normal number: the exponent of 2, and the logarithm of the rest,
  /// between `-ln(2) / 2` and `ln(2) / 2`.
  @_noLocks @inline(__always)
  private static func logarithm(_ x: Double) -> (exponent: Double, rest: Double) {
    let e = Int64(bitPattern: x.bitPattern &- 0x3fe6_a09e_667f_3bcd) >> 52
    let m = Double(bitPattern: x.bitPattern &- UInt64(bitPattern: e) << 52)
    // ln(m) = 2 artanh((m - 1) / (m + 1))
    let s = (m - 1) / (m + 1)
    let t = s * s
    var p = 1.0 / 21
    p = p * t + 1.0 / 19
    p = p * t + 1.0 / 17
    p = p * t + 1.0 / 15
    p = p * t + 1.0 / 13
    p = p * t + 1.0 / 11
    p = p * t + 1.0 / 9
    p = p * t + 1.0 / 7
    p = p * t + 1.0 / 5
    p = p * t + 1.0 / 3
    return (Double(e), 2 * s + 2 * s * (t * p))
  }

  /// The binary logarithm: minus infinity at subnormals, 0 and below.
  ///
  /// Within 5e-16.
  @_noLocks
  public static func log2(_ x: Double) -> Double {
    if x < 0x1p-1022 { return -.infinity }
    if !(x <= .greatestFiniteMagnitude) { return x }
    let parts = logarithm(x)
    return parts.exponent + parts.rest * 1.442_695_040_888_963_4
  }

  /// The natural logarithm: minus infinity at subnormals, 0 and below.
  ///
  /// Within 5e-16.
  @_noLocks
  public static func log(_ x: Double) -> Double {
    if x < 0x1p-1022 { return -.infinity }
    if !(x <= .greatestFiniteMagnitude) { return x }
    let parts = logarithm(x)
    return parts.exponent * 0x1.62e42feep-1
      + (parts.exponent * 0x1.a39ef35793c76p-33 + parts.rest)
  }

  /// `x` to the power of `y` for `x` above 0; 0 at 0.
  ///
  /// Within 1e-13 while the result lies between 1e-100 and 1e100.
  @_noLocks
  public static func pow(_ x: Double, _ y: Double) -> Double {
    if y == 0 { return 1 }
    return exp2(y * log2(x))
  }

  /// Sine and cosine of an angle in radians of a magnitude up to 100,000.
  ///
  /// Within 2e-16 absolute, and 4e-16 of the result below pi.
  @_noLocks
  public static func sinCos(_ x: Double) -> (sin: Double, cos: Double) {
    let n = nearest(x * 0.636_619_772_367_581_4)
    // pi/2 in three parts, the first two with enough low zeros for `n *` to be exact.
    let r =
      ((x - n * 0x1.921fb544p0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69
    let t = r * r
    var s = 1.0 / 355_687_428_096_000
    s = s * t - 1.0 / 1_307_674_368_000
    s = s * t + 1.0 / 6_227_020_800
    s = s * t - 1.0 / 39_916_800
    s = s * t + 1.0 / 362_880
    s = s * t - 1.0 / 5_040
    s = s * t + 1.0 / 120
    s = s * t - 1.0 / 6
    let sine = s * t * r + r
    var c = 1.0 / 20_922_789_888_000
    c = c * t - 1.0 / 87_178_291_200
    c = c * t + 1.0 / 479_001_600
    c = c * t - 1.0 / 3_628_800
    c = c * t + 1.0 / 40_320
    c = c * t - 1.0 / 720
    c = c * t + 1.0 / 24
    c = c * t - 0.5
    let cosine = c * t + 1
    // The quadrant, from the low bits of the sum as in `powerOfTwo`.
    switch (n + 6_755_399_441_055_744).bitPattern & 3 {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }

  /// The sine of an angle in radians; see `sinCos`.
  @_noLocks
  public static func sin(_ x: Double) -> Double { sinCos(x).sin }

  /// The cosine of an angle in radians; see `sinCos`.
  @_noLocks
  public static func cos(_ x: Double) -> Double { sinCos(x).cos }

  /// The tangent of an angle in radians of a magnitude up to 1.57.
  ///
  /// Within 1e-15.
  @_noLocks
  public static func tan(_ x: Double) -> Double {
    let parts = sinCos(x)
    return parts.sin / parts.cos
  }

  /// The angle in radians of a point, from -π to π; 0 at the origin.
  ///
  /// Within 5e-16.
  @_noLocks
  public static func atan2(_ y: Double, _ x: Double) -> Double {
    let (height, width) = (y < 0 ? -y : y, x < 0 ? -x : x)
    let (short, long) = height < width ? (height, width) : (width, height)
    if !(long > 0) { return 0 }
    let ratio = short / long
    // Rotated by an eighth of a circle where the ratio is above tan(π / 8).
    let isSteep = ratio > 0.414_213_562_373_095_05
    let t = isSteep ? (ratio - 1) / (ratio + 1) : ratio
    let s = t * t
    var p = 1.0 / 41
    p = 1.0 / 39 - p * s
    p = 1.0 / 37 - p * s
    p = 1.0 / 35 - p * s
    p = 1.0 / 33 - p * s
    p = 1.0 / 31 - p * s
    p = 1.0 / 29 - p * s
    p = 1.0 / 27 - p * s
    p = 1.0 / 25 - p * s
    p = 1.0 / 23 - p * s
    p = 1.0 / 21 - p * s
    p = 1.0 / 19 - p * s
    p = 1.0 / 17 - p * s
    p = 1.0 / 15 - p * s
    p = 1.0 / 13 - p * s
    p = 1.0 / 11 - p * s
    p = 1.0 / 9 - p * s
    p = 1.0 / 7 - p * s
    p = 1.0 / 5 - p * s
    p = 1.0 / 3 - p * s
    let near = t - t * s * p
    let below = isSteep ? near + 0.785_398_163_397_448_3 : near
    let quadrant = height < width ? below : 1.570_796_326_794_896_6 - below
    let half = x < 0 ? 3.141_592_653_589_793 - quadrant : quadrant
    return y < 0 ? -half : half
  }

  /// The hyperbolic tangent.
  ///
  /// Within 5e-16.
  @_noLocks
  public static func tanh(_ x: Double) -> Double {
    let t = x * x
    // Lambert's continued fraction.
    if t < 0.25 { return x / (1 + t / (3 + t / (5 + t / (7 + t / (9 + t / (11 + t / 13)))))) }
    let large = 1 - 2 / (exp(2 * (x < 0 ? -x : x)) + 1)
    return x < 0 ? -large : large
  }

  /// The correctly rounded square root.
  @_noLocks @inlinable @inline(__always)
  public static func squareRoot(_ x: Double) -> Double { fx_square_root_double(x) }
}
