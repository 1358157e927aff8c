import FxAudio

/// Gains that begin or end at a moment, or change continuously.
struct MomentCauses {
  let pair: AlignedPair
  let sums: BlockSums

  var candidates: [Candidate] { [change, dropouts, ramp, overTime].compactMap { $0 } }

  private static func energy(_ sums: SIMD3<Double>, gain: Double) -> Double {
    max(sums.z - 2 * gain * sums.y + gain * gain * sums.x, 0)
  }

  private static func gain(_ sums: SIMD3<Double>) -> Double { sums.x > 0 ? sums.y / sums.x : 1 }

  // MARK: - At a moment

  /// A gain from a moment on, and no change before it; or the other way round.
  private var change: Candidate? {
    let total = sums.blocks.reduce(.zero, +)
    var before = SIMD3<Double>.zero
    var best: (block: Int, isLater: Bool, energy: Double)?
    for (block, own) in sums.blocks.enumerated() where block > 0 || own.x > 0 {
      let after = total - before
      for isLater in [true, false] {
        let (changed, same) = isLater ? (after, before) : (before, after)
        let energy =
          Self.energy(changed, gain: Self.gain(changed)) + Self.energy(same, gain: 1)
        if block > 0, best.map({ energy < $0.energy }) ?? true {
          best = (block, isLater, energy)
        }
      }
      before += own
    }
    // If more than a tenth remains, a gain change is not the cause.
    guard let best, best.energy < 0.1 * Self.energy(total, gain: 1) else { return nil }
    let size = BlockSums.blockFrameCount
    let before2 = sums.blocks[..<max(best.block - 1, 0)].reduce(.zero, +)
    let after2 = sums.blocks[min(best.block + 1, sums.blocks.count)...].reduce(.zero, +)
    let gain = Self.gain(best.isLater ? after2 : before2)
    guard gain != 1, gain > 0 else { return nil }
    // Find the exact frame in the blocks on either side.
    let first = max((best.block - 1) * size, 0)
    let end = min((best.block + 1) * size, pair.count)
    let moment = moment(first..<end, gain: gain, isLater: best.isLater)
    let changed = best.isLater ? moment..<pair.count : 0..<moment
    let words =
      best.isLater ? "from \(pair.place(moment)) on" : "up to \(pair.place(moment))"
    var made = pair
    Self.scale(&made, changed, by: gain)
    return Candidate(
      kind: .gainChange, words: "\(Figures.louder(gain)) \(words)", rank: 2,
      energy: made.rest.energy, apply: { Self.scale(&$0, changed, by: gain) })
  }

  private static func scale(_ pair: inout AlignedPair, _ frames: Range<Int>, by gain: Double) {
    for channel in pair.expected.indices {
      pair.expected[channel].withUnsafeMutableBufferPointer { samples in
        for frame in frames { samples[frame] = Float(gain * Double(samples[frame])) }
      }
    }
  }

  /// The frame at which the gain change leaves the smallest difference.
  private func moment(_ frames: Range<Int>, gain: Double, isLater: Bool) -> Int {
    var (energy, least, best) = (0.0, 0.0, frames.lowerBound)
    for frame in frames {
      for channel in 0..<pair.channelCount {
        let then = Double(pair.expected[channel][frame])
        let now = Double(pair.actual[channel][frame])
        let changed = (now - gain * then) * (now - gain * then)
        let same = (now - then) * (now - then)
        energy += isLater ? same - changed : changed - same
      }
      // Only a lower energy moves the frame, because silence fits both gains.
      if energy < least { (least, best) = (energy, frame + 1) }
    }
    return best
  }

  // MARK: - Silence

  private static let leastSilence = 16

  /// Runs of silence where the expected sound is not silent.
  private var dropouts: Candidate? {
    let peaks = pair.expected.map { channel in
      channel.withUnsafeBufferPointer { $0.reduce(0) { max($0, abs($1)) } }
    }
    let floor = (peaks.max() ?? 0) * 1e-3
    var runs: [(channel: Int, frames: Range<Int>)] = []
    for channel in 0..<pair.channelCount {
      let (then, now) = (pair.expected[channel], pair.actual[channel])
      var frame = 0
      while let start = now[frame...].firstIndex(of: 0) {
        let end = now[start...].firstIndex { $0 != 0 } ?? now.count
        frame = end
        guard end - start >= Self.leastSilence,
          then[start..<end].contains(where: { abs($0) > floor })
        else { continue }
        runs.append((channel, start..<end))
      }
    }
    guard let first = runs.first, runs.count <= 64 else { return nil }
    var made = pair
    for run in runs {
      made.expected[run.channel].replaceSubrange(
        run.frames, with: repeatElement(0, count: run.frames.count))
    }
    let silenced = made.expected
    let isEnd = runs.allSatisfy { $0.frames.upperBound == pair.count }
    let count = first.frames.count
    let length = Figures.duration(Double(count) / pair.sampleRate)
    let places = Set(runs.map(\.frames)).count
    let names = pair.names(of: Set(runs.map(\.channel)).sorted())
    let subject = names.isEmpty ? "it" : names
    var words = "\(subject) is silent from \(pair.place(first.frames.lowerBound)) on"
    if !isEnd {
      words =
        "\(subject) is silent for \(Comparison.count(count, "frame")) (\(length)) "
        + "at \(pair.place(first.frames.lowerBound))"
      if places > 1 { words += " and at \(places - 1) more" }
    }
    return Candidate(
      kind: isEnd ? .missingEnd : .dropout, words: words, rank: 2, energy: made.rest.energy,
      apply: { $0.expected = silenced })
  }

  // MARK: - From start to end

  /// A gain that changes evenly: a fade.
  private var ramp: Candidate? {
    let length = Double(max(pair.count, 1))
    // The products of x and n·x with each other and with the actual samples.
    var (plain, mixed, square, own, late) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for channel in 0..<pair.channelCount {
      let (then, now) = (pair.expected[channel], pair.actual[channel])
      then.withUnsafeBufferPointer { then in
        now.withUnsafeBufferPointer { now in
          for frame in then.indices {
            let (x, y, time) = (Double(then[frame]), Double(now[frame]), Double(frame) / length)
            plain += x * x
            mixed += time * x * x
            square += time * time * x * x
            own += x * y
            late += time * x * y
          }
        }
      }
    }
    let determinant = plain * square - mixed * mixed
    guard determinant > 1e-9 * plain * square else { return nil }
    let first = (own * square - late * mixed) / determinant
    let growth = (late * plain - own * mixed) / determinant
    guard abs(growth) > 1e-3, min(first, first + growth) > -1e-3 else { return nil }
    func apply(_ pair: inout AlignedPair) {
      for channel in pair.expected.indices {
        pair.expected[channel].withUnsafeMutableBufferPointer { samples in
          for frame in samples.indices {
            let gain = first + growth * Double(frame) / length
            samples[frame] = Float(gain * Double(samples[frame]))
          }
        }
      }
    }
    var made = pair
    apply(&made)
    return Candidate(
      kind: .gainOverTime,
      words: "its level changes evenly by \(Self.signed(first)) to \(Self.signed(first + growth))",
      rank: 3, energy: made.rest.energy, apply: { apply(&$0) })
  }

  private static func signed(_ gain: Double) -> String {
    let decibels = gain > 1e-4 ? Math.decibels(amplitude: gain) : -.infinity
    guard decibels.isFinite else { return "silence" }
    if abs(decibels) < 0.005 { return "0 dB" }
    return "\(decibels < 0 ? "-" : "+")\(Figures.change(decibels))"
  }

  // MARK: - All the time

  private static let blocksPerGain = 4

  /// A gain that glides from one group of four blocks (1024 frames) to the next: dynamics, fades.
  /// It is fitted on groups and checked on single blocks.
  private var overTime: Candidate? {
    let count = sums.blocks.count / Self.blocksPerGain
    guard count >= 8 else { return nil }
    let groups = (0..<count).map { group in
      sums.blocks[group * Self.blocksPerGain..<(group + 1) * Self.blocksPerGain].reduce(.zero, +)
    }
    let floor = (groups.map(\.x).max() ?? 0) * 1e-6
    var gains: [Double] = []
    for group in groups {
      gains.append(group.x > floor ? Self.gain(group) : gains.last ?? 1)
    }
    guard gains.allSatisfy({ $0 >= 0 && $0 < 16 }) else { return nil }
    var energy = 0.0
    for (block, own) in sums.blocks.enumerated() {
      let position = (Double(block) + 0.5) / Double(Self.blocksPerGain) - 0.5
      energy += Self.energy(own, gain: Self.glide(gains, position))
    }
    // Only groups that are not silent count.
    let loud = groups.indices.filter { groups[$0].x > floor * 100 }.map { gains[$0] }
    guard let least = loud.min(), let most = loud.max(), most > least * 1.01 else { return nil }
    return Candidate(
      kind: .gainOverTime,
      words: "its level changes over time: by \(Self.signed(least)) to \(Self.signed(most))",
      rank: 5,
      energy: energy, wholeReduction: 20)
  }

  private static func glide(_ gains: [Double], _ position: Double) -> Double {
    let place = min(max(position, 0), Double(gains.count - 1))
    let index = min(Int(place), gains.count - 2)
    let part = place - Double(index)
    return gains[index] * (1 - part) + gains[index + 1] * part
  }
}
