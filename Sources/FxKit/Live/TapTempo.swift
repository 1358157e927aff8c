/// Computes a tempo from taps: the mean of up to eight intervals.
struct TapTempo {
  /// Seconds without a tap after which the next tap starts a new tempo.
  static let patience = 3.0
  private static let intervalCount = 8
  private var times: [Double] = []

  /// Beats a minute; nil for a first tap.
  mutating func tap(at seconds: Double) -> Double? {
    if let last = times.last, seconds - last > Self.patience || seconds <= last { times = [] }
    times.append(seconds)
    if times.count > Self.intervalCount + 1 { times.removeFirst() }
    guard let first = times.first, times.count > 1 else { return nil }
    return 60 * Double(times.count - 1) / (seconds - first)
  }
}
