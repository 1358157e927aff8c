private import CKernels

/// The level of each frame for a dynamics unit.
///
/// Used on the render thread.
enum LevelDetector {
  // MARK: - Realtime

  /// Writes the magnitudes of one channel; with `keepsLarger`, the larger of them and `levels`.
  ///
  /// Not-a-number counts as 0.
  @_noLocks
  package static func peaks(
    _ samples: UnsafePointer<Float>, into levels: UnsafeMutablePointer<Float>, count: Int,
    keepsLarger: Bool
  ) {
    fx_magnitudes(fx_vector_level(), samples, keepsLarger ? 1 : 0, levels, count)
  }

  /// Writes the mean squares of one channel; with `keepsLarger`, the larger of them and `levels`.
  @_noLocks
  package static func powers(
    _ samples: UnsafePointer<Float>, into levels: UnsafeMutablePointer<Float>, count: Int,
    mean: inout Float, coefficient: Float, keepsLarger: Bool
  ) {
    var power = mean
    let keep = 1 - coefficient
    for index in 0..<count {
      let square = samples[index] * samples[index]
      // Not-a-number and infinity would stay in the mean for ever.
      let sane = square > 0 ? square : 0
      let bounded = sane < 1e12 ? sane : 1e12
      power = coefficient * bounded + keep * power
      let level = levels[index]
      levels[index] = keepsLarger && level > power ? level : power
    }
    mean = power
  }
}
