/// A histogram of durations, from a quarter of a microsecond to eight seconds. Buckets are at most
/// 3 % wide.
///
/// A view of a fixed size, 6 kB. The render thread counts in plain memory; the control thread may
/// read at the same time, and is then at most a block off. Its maker destroys it.
package struct TimeHistogram: BitwiseCopyable, @unchecked Sendable {
  // Sendable: only one thread writes; a word read at the same time is either old or new.
  private struct Totals: BitwiseCopyable {
    var count = 0
    var sum = 0.0
    var maximum = 0.0
  }

  /// An octave is a factor of two, divided into this many buckets of equal width.
  private static let bucketsPerOctave = 32
  private static let lowestExponent = -22
  private static let octaveCount = 25
  private static let bucketCount = octaveCount * bucketsPerOctave

  private let counts: UnsafeMutablePointer<Int>
  private let bucketCount = TimeHistogram.bucketCount
  /// Exponent and highest mantissa bits of the lowest bucket, as `record` computes them.
  private let lowest = (1023 + TimeHistogram.lowestExponent) * TimeHistogram.bucketsPerOctave
  private let totals: UnsafeMutablePointer<Totals>

  /// The bytes that a histogram allocates.
  package static var byteCount: Int {
    bucketCount * MemoryLayout<Int>.stride + MemoryLayout<Totals>.stride
  }

  package static func make() -> TimeHistogram {
    TimeHistogram()
  }

  private init() {
    counts = .allocate(capacity: TimeHistogram.bucketCount)
    counts.initialize(repeating: 0, count: TimeHistogram.bucketCount)
    totals = .allocate(capacity: 1)
    totals.initialize(to: Totals())
  }

  package func destroy() {
    counts.deallocate()
    totals.deallocate()
  }

  /// Values counted.
  package var count: Int { totals.pointee.count }
  /// Seconds; exact.
  package var maximum: Double { totals.pointee.maximum }
  package var mean: Double { totals.pointee.sum / Double(max(totals.pointee.count, 1)) }

  /// The duration in seconds that this share of the values, 0...1, did not exceed. It is the upper
  /// edge of the bucket, so at most 3 % too high. 0 for no values.
  package func percentile(_ share: Double) -> Double {
    var total = 0
    for bucket in 0..<TimeHistogram.bucketCount { total += counts[bucket] }
    guard total > 0 else { return 0 }
    // NaN counts as 0.
    let wanted = max(1, (min(max(0, share), 1) * Double(total)).rounded(.up))
    var reached = 0
    for bucket in 0..<TimeHistogram.bucketCount {
      reached += counts[bucket]
      if Double(reached) >= wanted { return min(TimeHistogram.upperEdge(bucket), maximum) }
    }
    return maximum
  }

  /// All figures, for reports.
  package struct Summary: Sendable, Hashable {
    package let count: Int
    /// Seconds.
    package let mean: Double
    package let p50: Double
    package let p99: Double
    package let p999: Double
    package let maximum: Double
  }

  package var summary: Summary {
    Summary(
      count: count, mean: mean, p50: percentile(0.5), p99: percentile(0.99),
      p999: percentile(0.999), maximum: maximum)
  }

  private static func upperEdge(_ bucket: Int) -> Double {
    let exponent = lowestExponent + bucket / bucketsPerOctave
    let step = 1 + Double(bucket % bucketsPerOctave + 1) / Double(bucketsPerOctave)
    return Double(sign: .plus, exponent: exponent, significand: step)
  }

  // MARK: - Realtime

  /// Counts one value. Negative values and NaN count as 0.
  @_noLocks
  package func record(_ seconds: Double) {
    let value = seconds > 0 ? seconds : 0
    totals.pointee.count = totals.pointee.count &+ 1
    totals.pointee.sum += value
    if value > totals.pointee.maximum { totals.pointee.maximum = value }
    // The exponent and the five highest mantissa bits are the number of the bucket.
    let bucket = Int(truncatingIfNeeded: value.bitPattern &>> 47) &- lowest
    let last = bucketCount &- 1
    counts[bucket < 0 ? 0 : (bucket < last ? bucket : last)] &+= 1
  }

  /// Removes all values.
  @_noLocks
  package func reset() {
    for bucket in 0..<bucketCount { counts[bucket] = 0 }
    totals.pointee = Totals()
  }
}
