/// The tempo of beats that somebody taps: of the last eight intervals, the mean.
struct TapTempo {
  /// Seconds after which a tap is the first of others.
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
