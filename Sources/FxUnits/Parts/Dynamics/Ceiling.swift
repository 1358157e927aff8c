private import CKernels

/// Keeps samples under a ceiling that may move from frame to frame.
///
/// Used on the render thread.
enum Ceiling {
  // MARK: - Realtime

  /// Replaces each peak by the gain that brings it down to `share` of its ceiling; 1 when it is
  /// below.
  @_noLocks
  static func findGains(
    _ peaks: UnsafeMutablePointer<Float>, ceilings: UnsafePointer<Float>, share: Float, count: Int
  ) {
    fx_needed_gains(fx_vector_level(), ceilings, share, peaks, count)
  }

  /// The least of the gains, at most 1.
  @_noLocks
  package static func least(_ gains: UnsafePointer<Float>, count: Int) -> Float {
    fx_least(fx_vector_level(), gains, 1, count)
  }

  /// Multiplies samples by gains, and limits the products to the ceiling because they are rounded.
  /// A product that is not a number, or beyond 1e18, becomes silence.
  @_noLocks
  package static func apply(
    _ gains: UnsafePointer<Float>, ceilings: UnsafePointer<Float>,
    to samples: UnsafeMutablePointer<Float>, count: Int
  ) {
    fx_apply_limit(fx_vector_level(), gains, ceilings, samples, count)
  }
}
