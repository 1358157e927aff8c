import FxAudio

/// The static curve of a compressor: how much a level is reduced.
///
/// Levels and reductions are in octaves, an octave being a doubled amplitude (6.02 dB). Used on the
/// render thread.
///
/// Source: Giannoulis, Massberg and Reiss, "Digital dynamic range compressor design: a tutorial
/// and analysis", J. Audio Eng. Soc. 60 (2012), equation 4.
package struct GainComputer: BitwiseCopyable {
  private let threshold: Float
  private let slope: Float
  private let halfKnee: Float
  private let kneeFactor: Float

  /// The decibels of a doubled amplitude, `20 * log10(2)`.
  package static var decibelsPerOctave: Double {
    @_noLocks get { 6.020_599_913_279_624 }
  }

  // MARK: - Realtime

  /// Threshold and knee width in decibels.
  ///
  /// From a ratio of 100 up the level above the threshold stays where it is.
  @_noLocks
  package init(threshold: Float, ratio: Float, knee: Float) {
    self.threshold = Float(Double(threshold) / Self.decibelsPerOctave)
    slope = ratio >= 100 ? 1 : ratio > 1 ? 1 - 1 / ratio : 0
    halfKnee = knee > 0 ? Float(Double(knee) / (2 * Self.decibelsPerOctave)) : 0
    kneeFactor = halfKnee > 0 ? slope / (4 * halfKnee) : 0
  }

  /// The reduction, 0 or more, of a level.
  @_noLocks @inline(__always)
  private func reduction(_ level: Float) -> Float {
    let over = level - threshold
    let sum = over + halfKnee
    let intoKnee = sum > 0 ? sum : 0
    let curved = kneeFactor * intoKnee * intoKnee
    let straight = slope * over
    return over > halfKnee ? straight : curved
  }

  /// Replaces levels as amplitudes, 0 or more, by reductions.
  ///
  /// Not-a-number counts as silence.
  @_noLocks
  package func reduceAmplitudes(_ levels: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count {
      let level = levels[index] > 1e-9 ? levels[index] : 1e-9
      levels[index] = reduction(Math.log2(level < 1e9 ? level : 1e9))
    }
  }

  /// Replaces levels as squares of amplitudes by reductions.
  @_noLocks
  package func reducePowers(_ levels: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count {
      let level = levels[index] > 1e-18 ? levels[index] : 1e-18
      levels[index] = reduction(0.5 * Math.log2(level < 1e18 ? level : 1e18))
    }
  }
}
