import FxAudio

/// A possible cause of a difference, and the difference that remains after it is compensated.
struct Candidate {
  var kind: Comparison.Cause.Kind
  var words: String
  /// The complexity of the assumption. If two candidates explain everything, the one with the lower
  /// rank is chosen.
  var rank: Int
  /// The energy of the remaining difference over all channels. Until the candidate is tried, this
  /// may be an estimate from sums of squares, which cannot resolve a difference far below the
  /// sound.
  var energy: Double
  /// True when the cause was applied sample by sample, and `energy` and `peak` were measured.
  var isTried = false
  /// The peak of the remaining difference, when tried.
  var peak = Float.infinity
  /// The reduction of the difference in decibels from which this cause explains all of it. It is
  /// lower for causes that can only be estimated.
  var wholeReduction = 50.0
  /// Applies the cause to the expected samples; nil when it cannot be applied sample by sample.
  var apply: ((inout AlignedPair) -> Void)?
}

/// A linear model: each actual channel is a weighted sum of the expected channels plus an offset.
struct LevelModel {
  /// For each actual channel, a gain for each expected channel.
  var matrix: [[Double]]
  var offsets: [Double]

  /// A separate gain for each channel.
  init(gains: [Double]) {
    matrix = gains.indices.map { row in
      gains.indices.map { $0 == row ? gains[row] : 0 }
    }
    offsets = gains.map { _ in 0 }
  }

  init(matrix: [[Double]]) {
    self.matrix = matrix
    offsets = matrix.map { _ in 0 }
  }

  func apply(to pair: inout AlignedPair) {
    let then = pair.expected
    for row in matrix.indices {
      let sources = matrix[row].indices.filter { matrix[row][$0] != 0 }
      // Unchanged channels keep the same bits.
      if sources == [row], matrix[row][row] == 1, offsets[row] == 0 { continue }
      pair.expected[row] = [Float](unsafeUninitializedCapacity: pair.count) { made, count in
        count = pair.count
        for frame in 0..<count { made[frame] = Float(offsets[row]) }
        for source in sources {
          let gain = matrix[row][source]
          then[source].withUnsafeBufferPointer { then in
            for frame in 0..<count { made[frame] += Float(gain * Double(then[frame])) }
          }
        }
      }
    }
  }
}

extension Figures {
  /// `0.50 dB louder`.
  static func louder(_ gain: Double) -> String {
    if gain == 0 { return "silent" }
    let decibels = Math.decibels(amplitude: abs(gain))
    return "\(change(decibels)) \(decibels > 0 ? "louder" : "quieter")"
  }
}
