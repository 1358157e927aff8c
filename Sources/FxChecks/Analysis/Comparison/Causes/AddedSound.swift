import FxAudio

/// Checks whether the remaining difference is steady noise that is independent of the expected
/// sound.
struct AddedSound {
  let pair: AlignedPair
  let sums: BlockSums
  let filter: FilterCauses

  /// 85 ms at 48 kHz.
  private static let blocksPerGroup = 16

  var cause: Comparison.Cause? {
    // With half of the actual energy or more, it is a different sound, not an added one.
    let actual = sums.total.actualSquares.reduce(0, +)
    guard !filter.estimates.isEmpty, filter.energy < 0.5 * actual, isIndependent else { return nil }
    let levels = levels
    guard levels.count >= 8, levels.allSatisfy({ $0.difference.isFinite }),
      Self.spread(levels.map(\.difference)) < 0.5
    else { return nil }
    let spectrum = spectrum
    let energy = spectrum.reduce(0, +)
    guard energy > 0 else { return nil }
    let rms = Math.squareRoot(
      levels.reduce(0) { $0 + Math.pow(10, $1.difference / 10) } / Double(levels.count))
    guard isDense, !hasTone(spectrum) else { return nil }
    // The level must not follow the sound's level, or the spectrum must be white. The losses of
    // audio coding have neither property.
    guard Self.spread(levels.map(\.expected)) > 2 || isWhite(spectrum) else { return nil }
    let names = pair.names(of: differing)
    return Comparison.Cause(
      .noise,
      "noise with an RMS of \(Figures.level(rms)) \(names.isEmpty ? "" : "on \(names) ")was added",
      reduction: .infinity)
  }

  private var differing: [Int] {
    let energies = filter.estimates.map { $0.whole.difference.reduce(0, +) }
    let highest = energies.max() ?? 0
    return energies.indices.filter { energies[$0] > 1e-6 * highest }
  }

  /// True when a filter explains almost nothing of the difference.
  private var isIndependent: Bool {
    var (left, all) = (0.0, 0.0)
    for estimate in filter.estimates {
      let rest = estimate.restOfFilter
      left += rest.left
      all += rest.all
    }
    return left > 0.9 * all
  }

  /// Levels in decibels for each group of blocks; minus infinity when nothing differs.
  ///
  /// The difference is computed sample by sample, because sums of squares cannot resolve one far
  /// below the sound.
  private var levels: [(difference: Double, expected: Double)] {
    let size = Self.blocksPerGroup * BlockSums.blockFrameCount
    let scale = 1 / Double(size * differing.count)
    let differences = (0..<pair.channelCount).map { pair.difference(ofChannel: $0) }
    let count = sums.blocks.count / Self.blocksPerGroup
    return (0..<count).map { group in
      var own = SIMD3<Double>.zero
      for block in group * Self.blocksPerGroup..<(group + 1) * Self.blocksPerGroup {
        own += sums.blocks[block]
      }
      let frames = group * size..<(group + 1) * size
      let difference = differences.reduce(0.0) {
        $0 + Alignment.product($1, frames, $1, frames)
      }
      return (Self.decibels(difference * scale), Self.decibels(max(own.x * scale, 1e-12)))
    }
  }

  private static func decibels(_ power: Double) -> Double {
    10 * Math.log2(power) * 0.301_029_995_663_981_2
  }

  private static func spread(_ levels: [Double]) -> Double {
    let mean = levels.reduce(0, +) / Double(levels.count)
    let squares = levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return Math.squareRoot(squares / Double(levels.count))
  }

  private var spectrum: [Double] {
    var spectrum = filter.estimates[0].whole.difference
    for estimate in filter.estimates.dropFirst() {
      let own = estimate.whole.difference
      for bin in spectrum.indices { spectrum[bin] += own[bin] }
    }
    return spectrum
  }

  /// True when the samples of the difference are spread like those of noise: not like clicks, a tone
  /// or an offset.
  private var isDense: Bool {
    differing.allSatisfy { channel in
      var (sum, squares, fourth, count) = (0.0, 0.0, 0.0, 0.0)
      for sample in pair.difference(ofChannel: channel) {
        let square = Double(sample) * Double(sample)
        sum += Double(sample)
        squares += square
        fourth += square * square
        count += 1
      }
      guard sum * sum < 0.0025 * count * squares else { return false }
      // 3 for Gaussian noise, 1.8 for evenly distributed noise, 1.5 for a tone.
      let kurtosis = fourth * count / (squares * squares)
      return kurtosis > 1.65 && kurtosis < 8
    }
  }

  /// True when a bin has much more power than the bins around it.
  private func hasTone(_ spectrum: [Double]) -> Bool {
    let reach = 12
    return (4..<spectrum.count - reach).contains { bin in
      let around = (max(bin - reach, 4)...bin + reach).filter { abs($0 - bin) > 3 }
        .map { spectrum[$0] }
      return spectrum[bin] > 30 * around.reduce(0, +) / Double(max(around.count, 1))
    }
  }

  private func isWhite(_ spectrum: [Double]) -> Bool {
    let bands = 16
    let width = spectrum.count / bands
    let levels = (0..<bands).map { band in
      Self.decibels(spectrum[band * width..<(band + 1) * width].reduce(1e-30, +))
    }
    let mean = levels.reduce(0, +) / Double(bands)
    return levels.allSatisfy { abs($0 - mean) < 1 }
  }
}
