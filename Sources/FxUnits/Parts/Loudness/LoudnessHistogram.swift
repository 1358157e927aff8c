import FxAudio

/// A histogram of block energies, usually in steps of 0.05 LU from -70 LUFS up. It gives gated means
/// and percentiles in constant memory.
///
/// Render thread; a query takes about a microsecond.
struct LoudnessHistogram: ~Copyable {
  /// The range and the bins of a usual histogram.
  private static let (low, high, binsPerUnit) = (LoudnessBlocks.gate, 30.0, 20)
  /// The loudness in LUFS that the largest gain, from the absolute gate to 0 LUFS, brings to this
  /// gate.
  private static let lowest = 2 * LoudnessBlocks.gate

  private let low: Double
  private let stepsPerUnit: Double
  private let binCount: Int
  /// The energy of the absolute gate; 0 if the histogram has no blocks below it.
  let gate: Double
  private let counts: UnsafeMutablePointer<Double>
  private let energies: UnsafeMutablePointer<Double>

  /// - Parameter isFine: whether it has the bins of `LoudnessBlocks`, also for blocks below the
  ///   absolute gate, which may pass it with a gain.
  init(isFine: Bool = false) {
    low = isFine ? Self.lowest : Self.low
    stepsPerUnit = Double(isFine ? LoudnessBlocks.binsPerUnit : Self.binsPerUnit)
    binCount = Int((Self.high - low) * stepsPerUnit)
    gate = isFine ? LoudnessBlocks.energy(ofLoudness: LoudnessBlocks.gate) : 0
    counts = .allocate(capacity: binCount)
    energies = .allocate(capacity: binCount)
    counts.initialize(repeating: 0, count: binCount)
    energies.initialize(repeating: 0, count: binCount)
  }

  /// The bytes of a usual histogram.
  static var byteCount: Int {
    2 * Int(high - low) * binsPerUnit * MemoryLayout<Double>.stride
  }

  deinit {
    counts.deallocate()
    energies.deallocate()
  }

  /// The bins that have blocks, of a fine histogram.
  var bins: LoudnessBlocks {
    let first = Int((low * stepsPerUnit).rounded())
    var bins: [Int: LoudnessBlocks.Bin] = [:]
    for index in 0..<binCount where counts[index] > 0 {
      bins[first + index] = LoudnessBlocks.Bin(
        count: Int(counts[index]), energy: energies[index])
    }
    return LoudnessBlocks(bins)
  }

  // MARK: - Realtime

  /// Counts a block, unless it is below the lowest bin.
  @_noLocks
  func add(energy: Double) {
    let loudness = LoudnessBlocks.loudness(ofEnergy: energy)
    guard loudness >= low else { return }
    let place = (loudness - low) * stepsPerUnit
    let index = place < Double(binCount - 1) ? Int(place) : binCount - 1
    counts[index] += 1
    energies[index] += energy
  }

  /// The mean energy of the blocks at or above a gate energy; 0 when there are none.
  @_noLocks
  func mean(above gate: Double) -> Double {
    var (sum, count) = (0.0, 0.0)
    for index in 0..<binCount
    where counts[index] > 0 && energies[index] >= gate * counts[index] {
      sum += energies[index]
      count += counts[index]
    }
    return count > 0 ? sum / count : 0
  }

  /// The distance in LU from the 10th to the 95th percentile of the blocks at or above a gate
  /// energy.
  @_noLocks
  func range(above gate: Double) -> Double {
    var total = 0.0
    for index in 0..<binCount
    where counts[index] > 0 && energies[index] >= gate * counts[index] {
      total += counts[index]
    }
    guard total > 0 else { return 0 }
    // The block nearest to each percentile.
    let (lowRank, highRank) = ((total - 1) * 0.1 + 0.5, (total - 1) * 0.95 + 0.5)
    var (seen, low, high) = (0.0, Double.nan, Double.nan)
    for index in 0..<binCount
    where counts[index] > 0 && energies[index] >= gate * counts[index] {
      seen += counts[index]
      let loudness = LoudnessBlocks.loudness(ofEnergy: energies[index] / counts[index])
      if low != low, seen > Double(Int(lowRank)) { low = loudness }
      if high != high, seen > Double(Int(highRank)) { high = loudness }
    }
    return high - low
  }

  @_noLocks
  func clear() {
    counts.update(repeating: 0, count: binCount)
    energies.update(repeating: 0, count: binCount)
  }
}
