private import CKernels
import FxAudio

/// The static curve of a compressor: the reduction of a level.
///
/// Levels and reductions are in octaves; an octave is a doubled amplitude (6.02 dB). Used on the
/// render thread.
///
/// Source: Giannoulis, Massberg and Reiss, "Digital dynamic range compressor design: a tutorial
/// and analysis", J. Audio Eng. Soc. 60 (2012), equation 4.
struct GainComputer: BitwiseCopyable {
  private let curve: fx_curve

  /// The decibels of a doubled amplitude, `20 * log10(2)`.
  static var decibelsPerOctave: Double {
    @_noLocks get { 6.020_599_913_279_624 }
  }

  // MARK: - Realtime

  /// Threshold and knee width in decibels.
  ///
  /// A ratio of 100 or more counts as infinite: the output stays at the threshold.
  @_noLocks
  package init(threshold: Float, ratio: Float, knee: Float) {
    let slope: Float = ratio >= 100 ? 1 : ratio > 1 ? 1 - 1 / ratio : 0
    let halfKnee = knee > 0 ? Float(Double(knee) / (2 * Self.decibelsPerOctave)) : 0
    curve = fx_curve(
      threshold: Float(Double(threshold) / Self.decibelsPerOctave), slope: slope,
      half_knee: halfKnee, knee_factor: halfKnee > 0 ? slope / (4 * halfKnee) : 0)
  }

  /// Replaces levels, given as amplitudes of 0 or more, by reductions.
  ///
  /// Not-a-number counts as silence.
  @_noLocks
  func reduceAmplitudes(_ levels: UnsafeMutablePointer<Float>, count: Int) {
    reduce(levels, arePowers: 0, count: count)
  }

  /// Replaces levels, given as squares of amplitudes, by reductions.
  @_noLocks
  func reducePowers(_ levels: UnsafeMutablePointer<Float>, count: Int) {
    reduce(levels, arePowers: 1, count: count)
  }

  @_noLocks
  private func reduce(_ levels: UnsafeMutablePointer<Float>, arePowers: Int32, count: Int) {
    withUnsafePointer(to: curve) { curve in
      fx_reduce(fx_vector_level(), curve, arePowers, levels, count)
    }
  }

  /// Replaces reductions in octaves by gains, times `makeup`.
  @_noLocks
  static func findGains(
    _ reductions: UnsafeMutablePointer<Float>, makeup: Float, count: Int
  ) {
    fx_gains_of_reductions(fx_vector_level(), makeup, reductions, count)
  }

  /// Writes the products of samples and gains; `output` may be `input`.
  @_noLocks
  package static func apply(
    _ gains: UnsafePointer<Float>, _ input: UnsafePointer<Float>,
    to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    fx_multiply(fx_vector_level(), input, gains, output, count)
  }
}
