import FxAudio

/// The static curve of a downward expander: the reduction of a level below the threshold.
///
/// Levels and reductions are in octaves, as in `GainComputer`. The curve is that of `GainComputer`
/// upside down. Used on the render thread.
struct ExpansionCurve: BitwiseCopyable {
  private let threshold: Float
  private let slope: Float
  private let halfKnee: Float
  private let kneeFactor: Float
  /// The largest reduction.
  package let range: Float

  // MARK: - Realtime

  /// Threshold, knee width and largest reduction in decibels.
  @_noLocks
  package init(threshold: Float, ratio: Float, knee: Float, range: Float) {
    let octave = GainComputer.decibelsPerOctave
    self.threshold = Float(Double(threshold) / octave)
    slope = ratio > 1 ? ratio - 1 : 0
    halfKnee = knee > 0 ? Float(Double(knee) / (2 * octave)) : 0
    kneeFactor = halfKnee > 0 ? slope / (4 * halfKnee) : 0
    self.range = Float(Double(range) / octave)
  }

  /// Replaces levels, given as amplitudes of 0 or more, by reductions of 0 or more.
  @_noLocks
  func reduceAmplitudes(_ levels: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count {
      let level = levels[index] > 1e-9 ? levels[index] : 1e-9
      let under = threshold - Math.log2(level < 1e9 ? level : 1e9)
      let sum = under + halfKnee
      let intoKnee = sum > 0 ? sum : 0
      let curved = kneeFactor * intoKnee * intoKnee
      let straight = slope * under
      let reduction = under > halfKnee ? straight : curved
      levels[index] = reduction < range ? reduction : range
    }
  }
}
