public import CRealtime

/// Elementary functions for everything that feeds audio, coefficients included.
///
/// The C library uses different code on processors with fused multiply-add, which gives different
/// last bits. These functions use plain IEEE operations in a fixed order, so the result is the same
/// to the bit on every processor, in every build and at every optimisation level. Callable on any
/// thread. The errors given are the largest that the tests measured: relative to the result unless
/// marked absolute.
///
/// Public, like the few other symbols that loops call for every frame: the compiler inlines a
/// function of `package` access into another module only where its type is public or
/// `@usableFromInline`. No product of the package exposes this module.
public enum Math {
  // MARK: - Realtime

  // MARK: Single precision, one number or a vector with the same bits in each lane

  /// 2 to the power of `x`; 0 from -126.5 down, infinite from 127.5 up, exact at whole numbers.
  ///
  /// Within 1.2e-7.
  @_noLocks @inlinable @inline(__always)
  public static func exp2(_ x: Float) -> Float { fx_exp2(x) }

  @_noLocks @inlinable @inline(__always)
  public static func exp2(_ x: SIMD4<Float>) -> SIMD4<Float> { fx_exp2_4(x) }

  @_noLocks @inlinable @inline(__always)
  public static func exp2(_ x: SIMD8<Float>) -> SIMD8<Float> { fx_exp2_8(x) }

  /// The binary logarithm: minus infinity at subnormals, 0 and below.
  ///
  /// Within 1.5e-7 absolute between 0.5 and 2, 1.5e-7 relative elsewhere.
  @_noLocks @inlinable @inline(__always)
  public static func log2(_ x: Float) -> Float { fx_log2(x) }

  @_noLocks @inlinable @inline(__always)
  public static func log2(_ x: SIMD4<Float>) -> SIMD4<Float> { fx_log2_4(x) }

  @_noLocks @inlinable @inline(__always)
  public static func log2(_ x: SIMD8<Float>) -> SIMD8<Float> { fx_log2_8(x) }

  /// The hyperbolic tangent, odd to the bit and never beyond 1.
  ///
  /// Within 1.8e-7.
  @_noLocks @inlinable @inline(__always)
  public static func tanh(_ x: Float) -> Float { fx_tanh(x) }

  @_noLocks @inlinable @inline(__always)
  public static func tanh(_ x: SIMD4<Float>) -> SIMD4<Float> { fx_tanh_4(x) }

  @_noLocks @inlinable @inline(__always)
  public static func tanh(_ x: SIMD8<Float>) -> SIMD8<Float> { fx_tanh_8(x) }

  /// The correctly rounded square root.
  @_noLocks @inlinable @inline(__always)
  public static func squareRoot(_ x: Float) -> Float { fx_square_root(x) }

  @_noLocks @inlinable @inline(__always)
  public static func squareRoot(_ x: SIMD4<Float>) -> SIMD4<Float> { fx_square_root_4(x) }

  @_noLocks @inlinable @inline(__always)
  public static func squareRoot(_ x: SIMD8<Float>) -> SIMD8<Float> { fx_square_root_8(x) }

  // MARK: Levels

  /// The amplitude of a level: exactly 1 at 0 dB and 0 at minus infinity.
  ///
  /// Within 4e-6 down to -200 dB, 6e-7 down to -20 dB.
  @_noLocks @inlinable @inline(__always)
  public static func amplitude(decibels: Float) -> Float {
    exp2(decibels * 0.166_096_404_744_368_1)
  }

  /// The amplitude of a level: exactly 1 at 0 dB and 0 at minus infinity.
  ///
  /// Within 1e-14.
  @_noLocks
  public static func amplitude(decibels: Double) -> Double {
    exp2(decibels * 0.166_096_404_744_368_12)
  }

  /// The level of an amplitude, minus infinity at 0 and below.
  ///
  /// Within 5e-7 of the result, and 4e-6 dB near 0 dB.
  @_noLocks @inlinable @inline(__always)
  public static func decibels(amplitude: Float) -> Float {
    log2(amplitude) * 6.020_599_913_279_624
  }

  /// The level of an amplitude, minus infinity at 0 and below.
  ///
  /// Within 1e-14.
  @_noLocks
  public static func decibels(amplitude: Double) -> Double {
    log2(amplitude) * 6.020_599_913_279_624
  }
}

extension Decibels {
  /// The linear amplitude of this level.
  package var amplitude: Double {
    @_noLocks get { Math.amplitude(decibels: value) }
  }
}
