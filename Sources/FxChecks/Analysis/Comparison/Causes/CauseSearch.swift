import FxAudio

/// Looks for the causes of a difference that has no simple explanation.
///
/// Each cause is applied to the expected sound, sample by sample. It counts only if this removes
/// most of the current difference, however small that is. The remaining difference is then searched
/// for the next cause.
struct CauseSearch {
  let expected: Sound
  let actual: Sound
  /// The peak of a difference that counts as rounding; lower when the whole difference is small.
  private(set) var limit: Float

  var causes: [Comparison.Cause] = []
  /// The RMS of the difference that the causes do not explain; nil when nothing remains.
  var unexplained: Double?

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

  static func decibels(_ ratio: Double) -> Double {
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
    guard choose(&view, Self.whole) == nil else {
      _ = look(at: view)
      return
    }
    if let sparse = SparseCauses(pair: pair, limit: limit).candidate {
      causes = [Comparison.Cause(sparse.kind, sparse.words, reduction: .infinity)]
      return
    }
    let segments = Segments(pair, limit: limit)
    if explainExactly(segments, withLagToEnd: false) { return }
    guard let found = moved(pair) else {
      if explainExactly(segments, withLagToEnd: true) || explainRoughly(segments, energy) { return }
      _ = look(at: view)
      return
    }
    guard let moved = found.pair else {
      causes = [Comparison.Cause(found.kind, found.words, reduction: .infinity)]
      unexplained = found.unexplained
      return
    }
    let reduction = Self.decibels(
      energy / Double(pair.count) / (moved.rest.energy / Double(moved.count)))
    causes = [Comparison.Cause(found.kind, found.words, reduction: reduction)]
    _ = look(at: View(moved))
  }

  private func rms(_ energy: Double) -> Double {
    Math.squareRoot(energy / Double(max(actual.frameCount * actual.channelCount, 1)))
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
  struct View {
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
    mutating func choose(by rule: Rule, limit: Float) -> Candidate? {
      while let index = rule(candidates, rest.energy, limit) {
        guard !candidates[index].isTried, let apply = candidates[index].apply else {
          return candidates[index]
        }
        var made = pair
        apply(&made)
        (candidates[index].energy, candidates[index].peak) = made.rest
        candidates[index].isTried = true
      }
      return nil
    }
  }

  /// Chooses one of the candidates by their energy, that of the difference, and the limit of
  /// rounding.
  typealias Rule = ([Candidate], Double, Float) -> Int?

  private func choose(_ view: inout View, _ rule: Rule) -> Candidate? {
    view.choose(by: rule, limit: limit)
  }

  /// Adds the causes of the difference of two aligned sounds; true when nothing remains.
  ///
  /// - Parameter isExact: only causes that can be applied sample by sample.
  mutating func look(at start: View, isExact: Bool = false) -> Bool {
    var view = start
    for round in 0..<Self.roundCount {
      if round > 0 { view = View(view.pair) }
      if isExact { view.candidates.removeAll { $0.apply == nil } }
      let rest = view.rest
      guard rest.energy > 0, rest.peak > limit || causes.isEmpty else {
        unexplained = nil
        return true
      }
      unexplained = rms(rest.energy)
      var chosen = choose(&view, Self.whole)
      if chosen == nil {
        if let tones = AddedTones(view.pair, limit: limit) {
          view.candidates.append(tones.candidate(for: view.pair))
        }
        chosen = choose(&view, Self.whole)
        if chosen == nil, addTwo(view) { return true }
      }
      if chosen == nil, isExact {
        chosen = choose(&view, Self.most)
      } else if chosen == nil {
        let filter = FilterCauses(view.pair, energy: rest.energy)
        view.candidates += filter.candidates
        chosen = choose(&view, Self.whole) ?? choose(&view, Self.most)
        if chosen == nil { return addSound(view, filter) }
      }
      guard let chosen else { return false }
      let reduction = Self.decibels(rest.energy / max(chosen.energy, 1e-30))
      causes.append(Comparison.Cause(chosen.kind, chosen.words, reduction: reduction))
      guard let apply = chosen.apply else {
        unexplained = rms(chosen.energy)
        return reduction >= chosen.wholeReduction
      }
      apply(&view.pair)
    }
    let rest = view.pair.rest
    unexplained = rest.peak <= limit ? nil : rms(rest.energy)
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
  private static func whole(_ candidates: [Candidate], _ energy: Double, _ limit: Float) -> Int? {
    needed(candidates).filter {
      let candidate = candidates[$0]
      let reduction = decibels(energy / max(candidate.energy, 1e-30))
      if reduction >= candidate.wholeReduction { return true }
      // The rounding to integer samples may leave more of a small difference.
      return candidate.isTried
        ? candidate.peak <= limit : candidate.apply != nil && reduction >= leastReduction
    }.min {
      let (one, other) = (candidates[$0], candidates[$1])
      return (one.rank, one.energy) < (other.rank, other.energy)
    }
  }

  /// The candidate that explains the most, if that is most of the difference.
  private static func most(_ candidates: [Candidate], _ energy: Double, _ limit: Float) -> Int? {
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

  /// Tries two causes that explain everything together, although neither explains most of it.
  private mutating func addTwo(_ view: View) -> Bool {
    let energy = view.rest.energy
    let likely = view.candidates.filter {
      $0.apply != nil && $0.rank <= 3 && $0.energy < 0.9 * energy
    }.sorted { ($0.rank, $0.energy) < ($1.rank, $1.energy) }
    for candidate in likely.prefix(6) {
      var made = view.pair
      candidate.apply?(&made)
      let left = made.rest.energy
      guard left > 0, left < 0.9 * energy else { continue }
      var second = SparseCauses(pair: made, limit: limit).candidate
      if second == nil {
        var rest = View(made)
        if candidate.kind != .tone, let tones = AddedTones(made, limit: limit) {
          rest.candidates.append(tones.candidate(for: made))
        }
        rest.candidates.removeAll { $0.apply == nil }
        second = choose(&rest, Self.whole)
        if let found = second, !(found.isTried && found.peak <= limit) { second = nil }
      }
      guard let second else { continue }
      causes += [
        Comparison.Cause(
          candidate.kind, candidate.words, reduction: Self.decibels(energy / left)),
        Comparison.Cause(second.kind, second.words, reduction: .infinity),
      ]
      unexplained = nil
      return true
    }
    return false
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
      $0.apply != nil && $0.energy < ($0.kind == .tone ? 0.995 : 0.9) * energy
    }.sorted { $0.energy * Double($0.rank + 1) < $1.energy * Double($1.rank + 1) }
    for candidate in likely.prefix(2) {
      var made = view.pair
      candidate.apply?(&made)
      let left = made.rest.energy
      guard left < 0.995 * energy else { continue }
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
