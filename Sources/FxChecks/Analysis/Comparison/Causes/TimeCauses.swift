import FxAudio

/// Changes in time: latency, missing and repeated frames, a different speed, reversal.
struct TimeCauses {
  let expected: Sound
  let actual: Sound

  /// A cause, and the matching frames after it is compensated.
  struct Found {
    var kind: Comparison.Cause.Kind
    var words: String
    /// nil for a cause that is already verified and cannot be compensated by shifting whole frames.
    var pair: AlignedPair?
    /// The RMS of the difference that remains, where there is no pair.
    var unexplained: Double?
  }

  /// Candidates, the most likely first.
  var candidates: [Found] {
    if let found = cut ?? reversed { return [found] }
    let tracks = expected.channels.indices.map {
      LagTrack(expected: expected.channels[$0], actual: actual.channels[$0])
    }
    return constants(tracks) + [change(tracks), speed(tracks)].compactMap { $0 }
  }

  private var whole: Range<Int> { 0..<actual.frameCount }

  private func seconds(_ frames: Int) -> String {
    Figures.duration(Double(frames) / expected.sampleRate)
  }

  private func count(_ frames: Int) -> String {
    "\(Comparison.count(frames, "frame")) (\(seconds(frames)))"
  }

  private func place(_ frame: Int) -> String {
    "frame \(frame) (\(Figures.time(Double(frame) / expected.sampleRate)))"
  }

  // MARK: - One lag

  /// One lag for each channel. If these differ, also each of them for all channels.
  private func constants(_ tracks: [LagTrack]) -> [Found] {
    // A channel without a known lag takes the lag of the others.
    let known = tracks.compactMap(\.constant)
    guard
      known.count == tracks.count || tracks.allSatisfy({ $0.constant != nil || $0.probes.isEmpty }),
      let first = known.first
    else { return [] }
    let own = tracks.map { $0.constant ?? first }
    let common = Set(own).count > 1 ? Set(own).sorted().map { lag in own.map { _ in lag } } : []
    return (common + [own]).compactMap(constant)
  }

  private func constant(_ lags: [Int]) -> Found? {
    guard let first = lags.first, lags.contains(where: { $0 != 0 }) else { return nil }
    let run = AlignedPair.Run(frames: whole, lags: lags)
    let pair = AlignedPair(expected, actual, runs: [run])
    guard Set(lags).count == 1 else {
      let words = lags.indices.filter { lags[$0] != 0 }.map { channel in
        "\(Comparison.channelName(channel, of: lags.count)) is \(count(abs(lags[channel]))) "
          + (lags[channel] > 0 ? "later" : "earlier")
      }
      return Found(kind: .channelLag, words: words.joined(separator: ", "), pair: pair)
    }
    if first < 0, Self.sounds(expected, 0..<min(-first, expected.frameCount)) {
      return Found(
        kind: .missingStart, words: "its first \(count(-first)) are missing", pair: pair)
    }
    return Found(
      kind: .latency, words: "\(count(abs(first))) \(first > 0 ? "later" : "earlier")", pair: pair)
  }

  /// True when a stretch is not silent.
  static func sounds(_ sound: Sound, _ frames: Range<Int>) -> Bool {
    let floor = sound.peak * 1e-4
    return sound.channels.contains { channel in channel[frames].contains { abs($0) > floor } }
  }

  // MARK: - From a moment on

  /// Missing or extra frames in the middle, if nothing else differs.
  private var cut: Found? {
    let surplus = actual.frameCount - expected.frameCount
    guard surplus != 0 else { return nil }
    let limit = max(expected.peak, actual.peak) * 0x1p-20
    let length = min(expected.frameCount, actual.frameCount)
    func isSame(_ frame: Int, _ source: Int) -> Bool {
      for channel in actual.channels.indices
      where !(abs(actual.channels[channel][frame] - expected.channels[channel][source]) <= limit) {
        return false
      }
      return true
    }
    var start = 0
    while start < length, isSame(start, start) { start += 1 }
    var end = 0
    while end < length, isSame(actual.frameCount - 1 - end, expected.frameCount - 1 - end) {
      end += 1
    }
    guard start > 0, end > 0, start + end >= length else { return nil }
    return edited(at: min(start, length), surplus: surplus)
  }

  /// A lag that changes once, at the frame that leaves the smallest difference.
  private func change(_ tracks: [LagTrack]) -> Found? {
    let changes = tracks.compactMap(\.change)
    guard let first = changes.first, first.before.lag == 0,
      changes.allSatisfy({ $0.before.lag == 0 && $0.after.lag == first.after.lag }),
      tracks.allSatisfy({ $0.change != nil || $0.probes.isEmpty })
    else { return nil }
    let surplus = first.after.lag
    let start = changes.map(\.before.frame).min() ?? 0
    let end = min(
      (changes.map(\.after.frame).max() ?? 0) + LagTrack.probeFrameCount, actual.frameCount,
      expected.frameCount, expected.frameCount + surplus)
    guard start < end - max(surplus, 0) else { return nil }
    func error(_ frame: Int, _ lag: Int) -> Double {
      guard frame - lag >= 0, frame - lag < expected.frameCount else { return 0 }
      return actual.channels.indices.reduce(0.0) { sum, channel in
        let difference = Double(
          actual.channels[channel][frame] - expected.channels[channel][frame - lag])
        return sum + difference * difference
      }
    }
    var before = 0.0
    let inserted = max(surplus, 0)
    var after = (start + inserted..<end).reduce(0.0) { $0 + error($1, surplus) }
    var (least, moment) = (after, start)
    for frame in start..<end - inserted {
      before += error(frame, 0)
      after -= error(frame + inserted, surplus)
      if before + after <= least { (least, moment) = (before + after, frame + 1) }
    }
    return edited(at: moment, surplus: surplus)
  }

  private func edited(at frame: Int, surplus: Int) -> Found {
    let lags = [Int](repeating: 0, count: actual.channelCount)
    let runs = [
      AlignedPair.Run(frames: 0..<frame, lags: lags),
      AlignedPair.Run(
        frames: frame + max(surplus, 0)..<max(actual.frameCount, frame + max(surplus, 0)),
        lags: lags.map { _ in surplus }),
    ]
    let pair = AlignedPair(expected, actual, runs: runs)
    guard surplus > 0 else {
      return Found(
        kind: .missingFrames, words: "\(count(-surplus)) are missing at \(place(frame))", pair: pair
      )
    }
    let new = frame..<min(frame + surplus, actual.frameCount)
    if !Self.sounds(actual, new) {
      return Found(
        kind: .insertedSilence,
        words: "\(count(surplus)) of silence are inserted at \(place(frame))", pair: pair)
    }
    let isRepeated =
      frame >= surplus
      && actual.channels.allSatisfy { channel in
        let old = new.lowerBound - surplus..<new.upperBound - surplus
        let product = Alignment.product(channel, new, channel, old)
        let squares = Alignment.product(channel, new, channel, new)
        let others = Alignment.product(channel, old, channel, old)
        return product >= 0.9999 * Math.squareRoot(squares * others)
      }
    return Found(
      kind: isRepeated ? .repeatedFrames : .insertedFrames,
      words: "\(count(surplus)) are \(isRepeated ? "repeated" : "inserted") at \(place(frame))",
      pair: pair)
  }

  // MARK: - Other orders and speeds

  private var reversed: Found? {
    guard actual.frameCount == expected.frameCount, actual.frameCount > 1 else { return nil }
    let limit = max(expected.peak, actual.peak) * 0x1p-20
    let last = actual.frameCount - 1
    for channel in actual.channels.indices {
      let (then, now) = (expected.channels[channel], actual.channels[channel])
      for frame in 0...last where abs(now[frame] - then[last - frame]) > limit { return nil }
    }
    // A few changed samples in a symmetric sound are not a reversal.
    let lags = [Int](repeating: 0, count: actual.channelCount)
    let runs = [AlignedPair.Run(frames: whole, lags: lags)]
    var pair = AlignedPair(expected, actual, runs: runs)
    let energy = pair.rest.energy
    pair.expected = pair.expected.map { $0.reversed() }
    guard pair.rest.energy <= 0.0025 * energy else { return nil }
    return Found(kind: .reversed, words: "it runs backwards", pair: pair)
  }

  private func speed(_ tracks: [LagTrack]) -> Found? {
    let drifts = tracks.compactMap(\.drift)
    guard
      drifts.count == tracks.count || tracks.allSatisfy({ $0.drift != nil || $0.probes.isEmpty }),
      let first = drifts.first,
      drifts.allSatisfy({ abs($0.slope - first.slope) < 0.02 * abs(first.slope) })
    else { return nil }
    var search = SpeedSearch(expected, actual, slope: first.slope, start: first.start)
    guard let left = search.refine() else { return nil }
    let samples = Double(max(actual.frameCount * actual.channelCount, 1))
    let energy = actual.channels.reduce(0) {
      $0 + Alignment.product($1, $1.indices, $1, $1.indices)
    }
    let percent = (1 / (1 - search.slope) - 1) * 100
    return Found(
      kind: .speed,
      words:
        "it runs \(Figures.fixed(abs(percent), places: 3)) % \(percent > 0 ? "slower" : "faster")",
      pair: nil, unexplained: Math.squareRoot(left * energy / samples))
  }
}
