import FxAudio

/// The lag of one channel behind another, at places from its start to its end.
struct LagTrack {
  struct Probe {
    /// The first frame of the probe.
    var frame: Int
    var lag: Int
    /// The lag with a fraction of a frame.
    var exactLag: Double
  }

  static let probeFrameCount = 4096
  private static let probeCount = 12
  /// The search range in frames in each direction.
  private static let reach = 24000

  private(set) var probes: [Probe] = []
  /// The number of places with sound that match nothing within reach.
  private(set) var lostCount = 0

  init(expected: [Float], actual: [Float]) {
    let length = min(Self.probeFrameCount, actual.count / 4)
    guard length >= 256, expected.count >= length, let transform = Self.transform(length) else {
      return
    }
    let step = (actual.count - length) / (Self.probeCount - 1)
    let starts = (0..<Self.probeCount).map { $0 * step }
    let energies = starts.map {
      Alignment.product(actual, $0..<$0 + length, actual, $0..<$0 + length)
    }
    let floor = (energies.max() ?? 0) * 1e-4
    for (start, energy) in zip(starts, energies) where energy > floor {
      let frames = start..<start + length
      let previous = probes.last?.lag ?? 0
      if let found = Self.lag(
        expected, actual, frames, energy: energy, near: previous, transform)
      {
        probes.append(found)
      } else {
        lostCount += 1
      }
    }
  }

  /// A transform for the lags of so many frames.
  static func transform(_ length: Int) -> FourierTransform? {
    FourierTransform(length: FourierTransform.length(atLeast: length + 2 * reach))
  }

  /// The share of a stretch's energy that matches the expected sound at a lag, from 0 to 1.
  private static func likeness(
    _ expected: [Float], _ actual: [Float], _ stretch: Range<Int>, energy: Double, _ lag: Int
  ) -> Double {
    // Beyond its ends the expected sound counts as silent.
    let (first, end) = (
      max(stretch.lowerBound - lag, 0), min(stretch.upperBound - lag, expected.count)
    )
    guard first < end else { return 0 }
    let source = first..<end
    let frames = source.lowerBound + lag..<source.upperBound + lag
    let product = Alignment.product(actual, frames, expected, source)
    let other = Alignment.product(expected, source, expected, source)
    return other > 0 ? product * product / (energy * other) : 0
  }

  /// The lag of some frames of the actual sound, within reach of a known lag; nil when they match
  /// nothing there.
  static func lag(
    _ expected: [Float], _ actual: [Float], _ frames: Range<Int>, energy: Double, near: Int,
    _ transform: FourierTransform
  ) -> Probe? {
    func likeness(_ lag: Int) -> Double {
      Self.likeness(expected, actual, frames, energy: energy, lag)
    }
    for lag in [near, 0] where likeness(lag) > 0.9999 {
      return Probe(frame: frames.lowerBound, lag: lag, exactLag: Double(lag))
    }
    let first = frames.lowerBound - near - reach
    var there = [Float](repeating: 0, count: transform.length)
    for index in 0..<frames.count + 2 * reach where expected.indices.contains(first + index) {
      there[index] = expected[first + index]
    }
    var here = [Float](repeating: 0, count: transform.length)
    here.replaceSubrange(0..<frames.count, with: actual[frames])
    var product = transform.spectrum(there)
    let own = transform.spectrum(here)
    for bin in product.indices {
      let (a, b) = (product[bin], own[bin])
      product[bin].real = a.real * b.real + a.imaginary * b.imaginary
      product[bin].imaginary = a.imaginary * b.real - a.real * b.imaginary
    }
    let correlation = transform.samples(product)
    // The cumulative energy of the expected sound before each position.
    var energies = [Double](repeating: 0, count: transform.length + 1)
    for index in there.indices {
      energies[index + 1] = energies[index] + Double(there[index]) * Double(there[index])
    }
    let floor = energy * 1e-4
    let scale = 1 / Double(transform.length)
    func height(_ position: Int) -> Double {
      guard position >= 0, position <= 2 * reach else { return 0 }
      let other = energies[position + frames.count] - energies[position]
      let value = Double(correlation[position]) * scale
      return other > floor ? value * value / (energy * other) : 0
    }
    guard let best = (0...2 * reach).max(by: { height($0) < height($1) }), height(best) > 0.3
    else { return nil }
    var lag = near + reach - best
    // A new lag must explain more than the previous lag and more than no lag.
    for known in [near, 0] where 1 - likeness(known) < 1.2 * (1 - likeness(lag)) + 1e-9 {
      lag = known
    }
    let position = near + reach - lag
    let (left, middle, right) = (height(position - 1), height(position), height(position + 1))
    let bend = left - 2 * middle + right
    let part = bend < 0 ? min(max(0.5 * (left - right) / bend, -0.5), 0.5) : 0
    return Probe(frame: frames.lowerBound, lag: lag, exactLag: Double(lag) - part)
  }

  // MARK: - What it says

  /// True when most places with sound match the expected sound at some lag.
  var isKnown: Bool { probes.count >= 3 && probes.count >= 3 * lostCount }

  /// The most frequent lag, if at least a third of the places have it. Music that repeats itself
  /// can match at other lags too, so the caller checks the remaining difference.
  var constant: Int? {
    guard isKnown else { return nil }
    let counts = Dictionary(grouping: probes, by: \.lag).mapValues(\.count)
    let most = counts.max { ($0.value, abs($1.key)) < ($1.value, abs($0.key)) }
    return most.flatMap { 3 * $0.value >= probes.count ? $0.key : nil }
  }

  /// The places before and after the lag changes, if it changes exactly once.
  var change: (before: Probe, after: Probe)? {
    guard isKnown, let first = probes.first, let last = probes.last, first.lag != last.lag,
      let place = probes.firstIndex(where: { $0.lag != first.lag }),
      probes[place...].allSatisfy({ $0.lag == last.lag })
    else { return nil }
    return (probes[place - 1], probes[place])
  }

  /// The growth of the lag per frame, and the lag at frame 0, if it grows evenly at most places.
  /// The slope is the median over all pairs (H. Theil, P. K. Sen), which ignores outliers.
  var drift: (slope: Double, start: Double)? {
    guard isKnown, probes.count >= 5 else { return nil }
    let half = Double(Self.probeFrameCount) / 2
    let points = probes.map { (frame: Double($0.frame) + half, lag: $0.exactLag) }
    let slopes = points.indices.flatMap { first in
      points[(first + 1)...].map {
        ($0.lag - points[first].lag) / ($0.frame - points[first].frame)
      }
    }
    let slope = Self.median(slopes)
    let start = Self.median(points.map { $0.lag - slope * $0.frame })
    let errors = points.map { abs($0.lag - start - slope * $0.frame) }
    let length = points[points.count - 1].frame - points[0].frame
    guard abs(slope) * length > 3, 3 * errors.count(where: { $0 < 1.5 }) >= 2 * errors.count else {
      return nil
    }
    return (slope, start)
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}
