import FxAudio

/// A histogram of block energies in steps of 0.05 LU from -70 LUFS up. It gives gated means and
/// percentiles in constant memory.
///
/// Render thread; a query takes about a microsecond.
struct LoudnessHistogram: ~Copyable {
  private static var low: Double { @_noLocks get { -70 } }
  private static var stepsPerUnit: Double { @_noLocks get { 20 } }
  private static var count: Int { @_noLocks get { 2000 } }

  private let counts: UnsafeMutablePointer<Double>
  private let energies: UnsafeMutablePointer<Double>

  init() {
    counts = .allocate(capacity: Self.count)
    energies = .allocate(capacity: Self.count)
    counts.initialize(repeating: 0, count: Self.count)
    energies.initialize(repeating: 0, count: Self.count)
  }

  static var byteCount: Int { 2 * count * MemoryLayout<Double>.stride }

  deinit {
    counts.deallocate()
    energies.deallocate()
  }

  // MARK: - Realtime

  /// Counts a block, unless it is below the absolute gate of -70 LUFS.
  @_noLocks
  func add(energy: Double) {
    let loudness = LoudnessMeter.loudness(ofEnergy: energy)
    guard loudness >= Self.low else { return }
    let place = (loudness - Self.low) * Self.stepsPerUnit
    let index = place < Double(Self.count - 1) ? Int(place) : Self.count - 1
    counts[index] += 1
    energies[index] += energy
  }

  /// The mean energy of the blocks at or above a gate energy; 0 when there are none.
  @_noLocks
  func mean(above gate: Double) -> Double {
    var (sum, count) = (0.0, 0.0)
    for index in 0..<Self.count
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
    for index in 0..<Self.count
    where counts[index] > 0 && energies[index] >= gate * counts[index] {
      total += counts[index]
    }
    guard total > 0 else { return 0 }
    // The block nearest to each percentile.
    let (lowRank, highRank) = ((total - 1) * 0.1 + 0.5, (total - 1) * 0.95 + 0.5)
    var (seen, low, high) = (0.0, Double.nan, Double.nan)
    for index in 0..<Self.count
    where counts[index] > 0 && energies[index] >= gate * counts[index] {
      seen += counts[index]
      let loudness = LoudnessMeter.loudness(ofEnergy: energies[index] / counts[index])
      if low != low, seen > Double(Int(lowRank)) { low = loudness }
      if high != high, seen > Double(Int(highRank)) { high = loudness }
    }
    return high - low
  }

  @_noLocks
  func clear() {
    counts.update(repeating: 0, count: Self.count)
    energies.update(repeating: 0, count: Self.count)
  }
}
