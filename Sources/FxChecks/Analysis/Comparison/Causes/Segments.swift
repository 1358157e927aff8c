import FxAudio

/// The stretches in which two sounds differ, if there are few of them and the sounds are the same
/// around them.
struct Segments {
  /// A stretch with its place as words.
  struct Segment {
    var frames: Range<Int>
    /// `from frame 4711 (0.098 s) on`.
    var words: String
    var reachesEnd: Bool
  }

  /// Empty when the sounds differ from start to end.
  let all: [Segment]

  /// Equal frames between two segments.
  private static let gap = 1024
  private static let most = 8
  /// Shorter segments say too little about their cause.
  static let leastFrameCount = 128

  init(_ pair: AlignedPair, limit: Float) {
    let floor = pair.expected.map { $0.reduce(0) { max($0, abs($1)) } }.reduce(0, max) * 1e-4
    let runs =
      DifferingRuns(pair, limit: limit, gap: Self.gap, most: Self.most, silence: floor).runs ?? []
    func isSilent(_ frames: Range<Int>) -> Bool {
      pair.expected.allSatisfy { $0[frames].allSatisfy { abs($0) <= floor } }
    }
    var made: [Segment] = []
    for run in runs where run.count >= Self.leastFrameCount {
      let startsAtStart = run.lowerBound < 64 || isSilent(0..<run.lowerBound)
      let endsAtEnd =
        pair.count - run.upperBound < 64 || isSilent(run.upperBound..<pair.count)
      guard !(startsAtStart && endsAtEnd) else { continue }
      let words =
        endsAtEnd
        ? "from \(pair.place(run.lowerBound)) on"
        : startsAtStart
          ? "up to \(pair.place(run.upperBound))"
          : "between \(pair.place(run.lowerBound)) and \(pair.place(run.upperBound))"
      made.append(Segment(frames: run, words: words, reachesEnd: endsAtEnd))
    }
    all = made.count == runs.count ? made : []
  }
}

extension CauseSearch {
  /// Explains every segment by causes that leave nothing; false if that is impossible.
  ///
  /// - Parameter withLagToEnd: also by a lag that lasts to the end. Such a lag may have a better
  ///   explanation, like missing frames.
  mutating func explainExactly(_ segments: Segments, withLagToEnd: Bool) -> Bool {
    var found: [Comparison.Cause] = []
    for segment in segments.all {
      guard let causes = exactCauses(in: segment, withLagToEnd: withLagToEnd) else { return false }
      found += causes
    }
    guard let first = found.first else { return false }
    causes = found
    unexplained = nil
    if found.count > 1, found.count == segments.all.count,
      found.allSatisfy({ $0.kind == first.kind })
    {
      let more = found.count - 1
      let places = more == 1 ? "in another place" : "in \(more) other places"
      causes = [
        Comparison.Cause(first.kind, "\(first.words) and \(places)", reduction: first.reduction)
      ]
    }
    return true
  }

  private func exactCauses(
    in segment: Segments.Segment, withLagToEnd: Bool
  ) -> [Comparison.Cause]? {
    let none = [Int](repeating: 0, count: actual.channelCount)
    var nested = self
    nested.causes = []
    let pair = AlignedPair(
      expected, actual, runs: [AlignedPair.Run(frames: segment.frames, lags: none)])
    if nested.look(at: View(pair), isExact: true), !nested.causes.isEmpty {
      return nested.causes.map { placed($0, segment) }
    }
    guard withLagToEnd || !segment.reachesEnd, let cause = lag(in: segment) else { return nil }
    return [placed(cause, segment)]
  }

  /// Explains one segment by causes that can only be estimated.
  mutating func explainRoughly(_ segments: Segments, _ energy: Double) -> Bool {
    guard segments.all.count == 1, let segment = segments.all.first else { return false }
    let none = [Int](repeating: 0, count: actual.channelCount)
    let pair = AlignedPair(
      expected, actual, runs: [AlignedPair.Run(frames: segment.frames, lags: none)])
    var nested = self
    _ = nested.look(at: View(pair))
    guard !nested.causes.isEmpty else { return false }
    causes = nested.causes.map { placed($0, segment) }
    unexplained = nested.unexplained
    return true
  }

  private func placed(_ cause: Comparison.Cause, _ segment: Segments.Segment) -> Comparison.Cause {
    // Some causes name their own place.
    let namesPlace = [.gainChange, .dropout, .missingEnd, .clicks, .steps].contains(cause.kind)
    return Comparison.Cause(
      cause.kind == .gain ? .gainChange : cause.kind,
      namesPlace ? cause.words : "\(cause.words) \(segment.words)", reduction: cause.reduction)
  }

  // MARK: - Lags

  /// A lag of all channels, or of some, that explains a segment.
  private func lag(in segment: Segments.Segment) -> Comparison.Cause? {
    let frames = segment.frames
    let length = min(LagTrack.probeFrameCount, frames.count)
    guard let transform = LagTrack.transform(length) else { return nil }
    let middle = frames.lowerBound + (frames.count - length) / 2
    var lags: [Int] = []
    for channel in actual.channels.indices {
      let (then, now) = (expected.channels[channel], actual.channels[channel])
      guard frames.contains(where: { abs(now[$0] - then[$0]) > limit }) else {
        lags.append(0)
        continue
      }
      let probe = middle..<middle + length
      let energy = Alignment.product(now, probe, now, probe)
      guard energy > 0,
        let found = LagTrack.lag(then, now, probe, energy: energy, near: 0, transform),
        found.lag != 0
      else { return nil }
      lags.append(found.lag)
    }
    let pair = AlignedPair(expected, actual, runs: [AlignedPair.Run(frames: frames, lags: lags)])
    guard pair.count >= frames.count - (lags.map { abs($0) }.max() ?? 0), pair.count > 0,
      pair.rest.peak <= limit
    else { return nil }
    let moved = lags.indices.filter { lags[$0] != 0 }
    let isCommon = Set(lags).count == 1
    let words = (isCommon ? [0] : moved).map { channel in
      let lag = lags[channel]
      let length = Figures.duration(Double(abs(lag)) / expected.sampleRate)
      let name = Comparison.channelName(channel, of: lags.count)
      return "\(isCommon ? "" : "\(name) is ")\(Comparison.count(abs(lag), "frame")) (\(length)) "
        + (lag > 0 ? "later" : "earlier")
    }
    return Comparison.Cause(
      isCommon ? .latency : .channelLag, words.joined(separator: ", "), reduction: .infinity)
  }
}
