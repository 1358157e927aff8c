/// The energies of a sound's loudness blocks in bins of 0.01 LU. The blocks of several sounds can be
/// added; their gated mean is then the loudness of all the sounds together.
///
/// Sources: ITU-R BS.1770-4 (gates); EBU Tech 3342 has such bins for the loudness range.
package struct LoudnessBlocks: Sendable, Hashable {
  /// The blocks of one bin: how many there are, and the sum of their energies.
  package struct Bin: Sendable, Hashable {
    package var count: Int
    package var energy: Double

    package init(count: Int, energy: Double) {
      self.count = count
      self.energy = energy
    }
  }

  /// The bins of one LU. A gate takes or leaves a bin as a whole: bins of 0.05 LU, as a meter has, would
  /// change the mean of a short album by as much.
  package static let binsPerUnit = 100

  /// By the loudness of the bin's lower end, in steps of a bin: -7000 begins at -70 LUFS.
  package private(set) var bins: [Int: Bin] = [:]

  package init(_ bins: [Int: Bin] = [:]) { self.bins = bins }

  /// Adds the blocks of another sound. A fixed order of the sounds gives fixed bits.
  package mutating func add(_ other: LoudnessBlocks) {
    for (place, bin) in other.bins {
      bins[place, default: Bin(count: 0, energy: 0)].count += bin.count
      bins[place]?.energy += bin.energy
    }
  }

  /// The integrated loudness in LUFS with a gain in decibels: quiet blocks may pass the absolute
  /// gate. Minus infinity if no block passes it.
  package func integrated(gain: Double = 0) -> Double {
    let sorted = bins.sorted { $0.key < $1.key }.map(\.value)
    func mean(above gate: Double) -> Double {
      var (sum, count) = (0.0, 0)
      for bin in sorted where bin.energy >= gate * Double(bin.count) {
        sum += bin.energy
        count += bin.count
      }
      return count > 0 ? sum / Double(count) : 0
    }
    let absolute = Self.energy(ofLoudness: Self.gate - gain)
    let relative = mean(above: absolute) * 0.1
    return Self.loudness(ofEnergy: mean(above: max(absolute, relative))) + gain
  }

  /// The gain in decibels that brings the blocks to a loudness; nil if no block is above the
  /// absolute gate.
  package func gain(to target: Double) -> Double? {
    let loudness = integrated()
    return loudness.isFinite
      ? Self.gain(to: target, from: loudness) { integrated(gain: $0) } : nil
  }

  /// The gain in decibels that brings a sound to a loudness. A gain changes which blocks pass the
  /// absolute gate, so the loudness with a gain is measured until it fits.
  package static func gain(
    to target: Double, from loudness: Double, measure: (_ gain: Double) -> Double
  ) -> Double {
    var gain = target - loudness
    for _ in 0..<20 {
      let rest = target - measure(gain)
      guard rest.isFinite, abs(rest) > 1e-4 else { break }
      gain += rest
    }
    return gain
  }

  /// The absolute gate in LUFS.
  package static let gate = -70.0

  /// The mean square after weighting that has a loudness.
  package static func energy(ofLoudness loudness: Double) -> Double {
    Math.amplitude(decibels: 2 * (loudness + 0.691))
  }

  // MARK: - Realtime

  /// The loudness of a mean square after weighting.
  @_noLocks
  package static func loudness(ofEnergy energy: Double) -> Double {
    energy > 1e-30 ? -0.691 + 0.5 * Math.decibels(amplitude: energy) : -.infinity
  }
}

/// A measured sound: its loudness blocks and its true peak.
package struct MeasuredLoudness: Sendable, Hashable {
  package var blocks: LoudnessBlocks
  /// 1 is full scale.
  package var truePeak: Double

  package init(_ blocks: LoudnessBlocks = LoudnessBlocks(), truePeak: Double = 0) {
    self.blocks = blocks
    self.truePeak = truePeak
  }

  /// Adds another sound of the same album.
  package mutating func add(_ other: MeasuredLoudness) {
    blocks.add(other.blocks)
    truePeak = max(truePeak, other.truePeak)
  }
}
