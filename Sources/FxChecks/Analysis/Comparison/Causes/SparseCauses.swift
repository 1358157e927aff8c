import FxAudio

/// Single samples and clicks: almost all frames are the same, and the others lie far apart.
struct SparseCauses {
  let pair: AlignedPair
  /// Differences up to this are rounding.
  let limit: Float

  /// The most frames of a click: 1.3 ms at 48 kHz.
  private static let clickLimit = 64
  /// Equal frames between two clicks.
  private static let gap = 16

  var candidate: Candidate? { steps ?? clicks }

  private func made(_ kind: Comparison.Cause.Kind, _ words: String) -> Candidate {
    Candidate(kind: kind, words: words, rank: 6, energy: 0, apply: { $0.expected = $0.actual })
  }

  /// Some samples are one step of integer samples away, and all others are the same to the bit.
  private var steps: Candidate? {
    let step = max(Quantum.step(of: pair.expected), Quantum.step(of: pair.actual))
    guard step >= 0x1p-24, step <= 0x1p-7 else { return nil }
    var (higher, lower, first) = (0, 0, Int.max)
    var channels: [Int] = []
    for channel in 0..<pair.channelCount {
      let before = higher + lower
      let (then, now) = (pair.expected[channel], pair.actual[channel])
      for frame in now.indices where now[frame] != then[frame] {
        let difference = now[frame] - then[frame]
        guard abs(abs(difference) - step) <= step * 0x1p-10 else { return nil }
        if difference > 0 { higher += 1 } else { lower += 1 }
        first = min(first, frame)
      }
      if higher + lower > before { channels.append(channel) }
    }
    let (count, all) = (higher + lower, pair.count * pair.channelCount)
    guard count > 0, 4 * count < all else { return nil }
    let way = lower == 0 ? "higher" : higher == 0 ? "lower" : "higher or lower"
    let names = pair.names(of: channels)
    return made(
      .steps,
      "\(Comparison.count(count, "sample"))\(names.isEmpty ? "" : " on \(names)") "
        + "\(count == 1 ? "is" : "are") one step of \(1 - Int(step.exponent)) bits \(way), "
        + "the first at \(pair.place(first))")
  }

  private var clicks: Candidate? {
    let runs = DifferingRuns(pair, limit: limit, gap: Self.gap, most: 4096).runs
    guard let runs, let first = runs.first, runs.allSatisfy({ $0.count <= Self.clickLimit }),
      20 * runs.reduce(0, { $0 + $1.count }) < pair.count
    else { return nil }
    let channels = (0..<pair.channelCount).filter { channel in
      runs.contains { run in
        run.contains { abs(pair.actual[channel][$0] - pair.expected[channel][$0]) > limit }
      }
    }
    let names = pair.names(of: channels)
    if let ceiling = ceiling(of: runs) {
      let count = runs.reduce(0) { $0 + $1.count }
      return made(
        .clipping,
        "clipped at \(Figures.level(Double(ceiling))): \(Comparison.count(count, "frame"))"
          + (names.isEmpty ? "" : " of \(names)"))
    }
    let level = Figures.level(Double(pair.rest.peak))
    let place = pair.place(first.lowerBound)
    let longest = runs.map(\.count).max() ?? 1
    let length = "\(runs.count == 1 ? "" : "up to ")\(Comparison.count(longest, "frame"))"
    let rest = names.isEmpty ? "" : " on \(names)"
    return made(
      .clicks,
      runs.count == 1
        ? "a click of \(length)\(rest) by up to \(level) at \(place)"
        : "\(runs.count) clicks of \(length)\(rest) by up to \(level), the first at \(place)")
  }
}

extension SparseCauses {
  /// The peak of the actual sound if all samples that differ were cut off there.
  fileprivate func ceiling(of runs: [Range<Int>]) -> Float? {
    let peak = pair.actual.map { $0.reduce(0) { max($0, abs($1)) } }.reduce(0, max)
    for channel in 0..<pair.channelCount {
      let (then, now) = (pair.expected[channel], pair.actual[channel])
      for run in runs {
        for frame in run where abs(now[frame] - then[frame]) > limit {
          guard abs(now[frame]) >= peak * (1 - 0x1p-18), abs(then[frame]) > peak else { return nil }
        }
      }
    }
    return peak
  }
}

/// The stretches of frames in which two sounds differ.
struct DifferingRuns {
  /// nil when there are too many.
  let runs: [Range<Int>]?

  /// - Parameters:
  ///   - limit: differences up to this do not count.
  ///   - gap: fewer equal frames than this do not end a run.
  ///   - most: the largest number of runs.
  ///   - silence: frames up to this level do not count as equal, because most causes change nothing
  ///     there.
  init(_ pair: AlignedPair, limit: Float, gap: Int, most: Int, silence: Float = -1) {
    var sounds = [Bool](repeating: silence < 0, count: pair.count)
    if silence >= 0 {
      for channel in pair.expected {
        channel.withUnsafeBufferPointer { channel in
          for frame in channel.indices where abs(channel[frame]) > silence { sounds[frame] = true }
        }
      }
    }
    var differs = [Bool](repeating: false, count: pair.count)
    for channel in 0..<pair.channelCount {
      let (then, now) = (pair.expected[channel], pair.actual[channel])
      then.withUnsafeBufferPointer { then in
        now.withUnsafeBufferPointer { now in
          for frame in then.indices where abs(now[frame] - then[frame]) > limit {
            differs[frame] = true
          }
        }
      }
    }
    var runs: [Range<Int>] = []
    var equalCount = 0
    for frame in differs.indices {
      guard differs[frame] else {
        if sounds[frame] { equalCount += 1 }
        continue
      }
      defer { equalCount = 0 }
      if let last = runs.last, equalCount < gap {
        runs[runs.count - 1] = last.lowerBound..<frame + 1
      } else if runs.count < most {
        runs.append(frame..<frame + 1)
      } else {
        self.runs = nil
        return
      }
    }
    self.runs = runs
  }
}
