import FxAudio

/// Looks for the causes of a difference that has no simple explanation.
///
/// Each cause is applied to the expected sound, sample by sample. It counts only if this removes
/// most of the current difference, however small that is. The remaining difference is then searched
/// for the next cause.
struct CauseSearch {
  private let expected: Sound
  private let actual: Sound
  /// The peak of a difference that counts as rounding; lower when the whole difference is small.
  private var limit: Float

  private(set) var causes: [Comparison.Cause] = []
  /// The RMS of the difference that the causes do not explain; nil when nothing remains.
  private(set) var unexplained: Double?

  /// The least reduction of the difference in decibels. A shift in time changes every sample, so a
  /// lower reduction is enough for it.
  private static let leastReduction = 10.0
  private static let leastTimeReduction = 6.0
  /// The longest lag that may also be the delay of a filter.
  private static let longestFilterLag = 64
  private static let roundCount = 3

  /// Both sounds must have the same channel count, and no sample may be infinite.
  init(_ expected: Sound, _ actual: Sound) {
    self.expected = expected
    self.actual = actual
    let peak = max(expected.peak, actual.peak)
    limit = max(peak * 0x1p-20, 1.5 * (Quantum.of(expected) + Quantum.of(actual)))
    search()
  }

  private static func decibels(_ ratio: Double) -> Double {
    ratio > 0 ? 10 * Math.log2(ratio) * 0.301_029_995_663_981_2 : -.infinity
  }

  private mutating func search() {
    let lags = [Int](repeating: 0, count: actual.channelCount)
    let pair = AlignedPair(
      expected, actual, runs: [AlignedPair.Run(frames: 0..<actual.frameCount, lags: lags)])
    guard pair.count > 0 else { return }
    let energy = pair.rest.energy
    // If one simple cause explains everything without a shift, no shift is searched for.
    var view = View(pair)
    limit = min(limit, 0.25 * view.rest.peak)
    guard view.choose(by: Self.whole) == nil, let found = moved(pair) else {
      _ = look(at: view)
      return
    }
    guard let moved = found.pair else {
      causes = [Comparison.Cause(found.kind, found.words, reduction: .infinity)]
      return
    }
    let reduction = Self.decibels(
      energy / Double(pair.count) / (moved.rest.energy / Double(moved.count)))
    causes = [Comparison.Cause(found.kind, found.words, reduction: reduction)]
    _ = look(at: View(moved))
  }

  private func rms(_ energy: Double, _ pair: AlignedPair) -> Double {
    Math.squareRoot(energy / Double(max(pair.count * pair.channelCount, 1)))
  }

  // MARK: - In time

  /// The shift in time that leaves the smallest difference, if it removes most of the difference.
  private func moved(_ pair: AlignedPair) -> TimeCauses.Found? {
    let energy = pair.rest.energy / Double(pair.count)
    var best: (found: TimeCauses.Found, left: Double)?
    for found in TimeCauses(expected: expected, actual: actual).candidates {
      guard let moved = found.pair else {
        // A cause that cannot be applied leaves up to a hundredth of the sound, so a small
        // difference must have another cause.
        if best == nil, pair.rest.energy > 0.04 * pair.soundEnergy { return found }
        continue
      }
      guard moved.count > pair.count / 2 else { continue }
      let left = moved.rest.energy / Double(moved.count)
      guard Self.decibels(energy / max(left, 1e-30)) >= Self.leastTimeReduction,
        left < best?.left ?? .infinity
      else { continue }
      let isShort =
        (found.kind == .latency || found.kind == .channelLag)
        && pair.count - moved.count < Self.longestFilterLag
      if isShort, moved.rest.peak > limit {
        let then = FilterCauses(pair, energy: 1).unlikeness
        let now = FilterCauses(moved, energy: 1).unlikeness
        // A filter delays some frequencies, a latency delays all of them.
        guard now < 0.05 * then else { continue }
      }
      best = (found, left)
    }
    return best?.found
  }

  // MARK: - In place

  /// Two aligned sounds, and the difference that each simple cause would leave.
  private struct View {
    var pair: AlignedPair
    let rest: (energy: Double, peak: Float)
    let sums: BlockSums
    var candidates: [Candidate]

    init(_ pair: AlignedPair) {
      self.pair = pair
      rest = pair.rest
      sums = BlockSums(pair)
      candidates =
        LevelCauses(pair: pair, sums: sums.total).candidates
        + MomentCauses(pair: pair, sums: sums).candidates
        + SampleCauses(pair: pair, sums: sums.total, energy: rest.energy).candidates
    }

    /// The candidate that a rule chooses, after it was tried.
    mutating func choose(by rule: ([Candidate], Double) -> Int?) -> Candidate? {
      while let index = rule(candidates, rest.energy) {
        guard !candidates[index].isTried, let apply = candidates[index].apply else {
          return candidates[index]
        }
        var made = pair
        apply(&made)
        candidates[index].energy = made.rest.energy
        candidates[index].isTried = true
      }
      return nil
    }
  }

  /// Adds the causes of the difference of two aligned sounds; true when nothing remains.
  private mutating func look(at start: View) -> Bool {
    var view = start
    for round in 0..<Self.roundCount {
      if round > 0 { view = View(view.pair) }
      let rest = view.rest
      guard rest.energy > 0, rest.peak > limit || causes.isEmpty else {
        unexplained = nil
        return true
      }
      unexplained = rms(rest.energy, view.pair)
      var chosen = view.choose(by: Self.whole)
      if chosen == nil {
        let filter = FilterCauses(view.pair, energy: rest.energy)
        view.candidates += filter.candidates
        chosen = view.choose(by: Self.whole) ?? view.choose(by: Self.most)
        if chosen == nil { return addSound(view, filter) }
      }
      guard let chosen else { return false }
      let reduction = Self.decibels(rest.energy / max(chosen.energy, 1e-30))
      causes.append(Comparison.Cause(chosen.kind, chosen.words, reduction: reduction))
      guard let apply = chosen.apply else {
        unexplained = rms(chosen.energy, view.pair)
        return reduction >= chosen.wholeReduction
      }
      apply(&view.pair)
    }
    let rest = view.pair.rest
    unexplained = rest.peak <= limit ? nil : rms(rest.energy, view.pair)
    return unexplained == nil
  }

  /// The candidates that explain much more than every candidate of a lower rank.
  private static func needed(_ candidates: [Candidate]) -> [Int] {
    candidates.indices.filter { index in
      candidates.allSatisfy {
        $0.rank >= candidates[index].rank || candidates[index].energy < 0.25 * $0.energy
      }
    }
  }

  /// The simplest cause that explains the whole difference.
  private static func whole(_ candidates: [Candidate], _ energy: Double) -> Int? {
    needed(candidates).filter {
      decibels(energy / max(candidates[$0].energy, 1e-30)) >= candidates[$0].wholeReduction
    }.min {
      let (one, other) = (candidates[$0], candidates[$1])
      return (one.rank, one.energy) < (other.rank, other.energy)
    }
  }

  /// The candidate that explains the most, if that is most of the difference.
  private static func most(_ candidates: [Candidate], _ energy: Double) -> Int? {
    func weight(_ candidate: Candidate) -> Double {
      decibels(max(candidate.energy, 1e-30)) + 1.5 * Double(candidate.rank)
    }
    // A filter or a gain change that leaves much of the difference is not the cause.
    return needed(candidates).filter {
      let candidate = candidates[$0]
      return candidate.kind != .filter && candidate.kind != .gainChange
        && decibels(energy / max(candidate.energy, 1e-30)) >= leastReduction
    }.min { weight(candidates[$0]) < weight(candidates[$1]) }
  }

  /// When no cause explains most of the difference, tries an added sound, alone or with one cause.
  private mutating func addSound(_ view: View, _ filter: FilterCauses) -> Bool {
    let energy = view.rest.energy
    if let added = AddedSound(pair: view.pair, sums: view.sums, filter: filter).cause {
      causes.append(added)
      unexplained = nil
      return true
    }
    let likely = view.candidates.filter {
      $0.apply != nil && $0.energy < 0.9 * energy
    }.sorted { $0.energy * Double($0.rank + 1) < $1.energy * Double($1.rank + 1) }
    for candidate in likely.prefix(2) {
      var made = view.pair
      candidate.apply?(&made)
      let left = made.rest.energy
      guard left < 0.9 * energy else { continue }
      let filter = FilterCauses(made, energy: left)
      guard let added = AddedSound(pair: made, sums: BlockSums(made), filter: filter).cause
      else { continue }
      let cause = Comparison.Cause(
        candidate.kind, candidate.words, reduction: Self.decibels(energy / left))
      causes += left < 0.5 * energy ? [cause, added] : [added, cause]
      unexplained = nil
      return true
    }
    return false
  }
}
