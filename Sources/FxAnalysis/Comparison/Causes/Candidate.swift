import FxAudio

/// Something that may have been done to a sound, and what is left of the difference once it is made
/// up for.
struct Candidate {
  var kind: Comparison.Cause.Kind
  var words: String
  /// How much it takes for granted: of two that explain everything the lower one holds.
  var rank: Int
  /// What is left of the difference, its energy over all channels. Until it is tried, this
  /// may be an estimate from sums of squares, which cannot resolve a difference far below the sound.
  var energy: Double
  /// The cause was undone sample by sample, and `energy` was measured.
  var isTried = false
  /// Decibels by which the difference has to shrink for this to be all of it. Less for what can only
  /// be estimated.
  var wholeReduction = 50.0
  /// What it makes of the expected samples; nil where it cannot be made up for sample by sample.
  var apply: ((inout AlignedPair) -> Void)?
}

/// Channels that are sums of the expected channels with a gain each, and an offset.
struct LevelModel {
  /// For each actual channel, a gain for each expected channel.
  var matrix: [[Double]]
  var offsets: [Double]

  /// Each channel for itself.
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
      // Untouched samples stay the same bits.
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
