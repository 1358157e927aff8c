import FxAudio

/// Changes of each sample independent of its neighbours: clipping, fewer bits, distortion.
struct SampleCauses {
  let pair: AlignedPair
  let sums: BlockSums.Sums
  /// The energy of the difference.
  let energy: Double

  var candidates: [Candidate] { [clipping, bits, distortion].compactMap { $0 } }

  // MARK: - Clipping

  /// Clipping: samples stay at the actual peak where the expected sound goes beyond it; all others
  /// have one gain.
  private var clipping: Candidate? {
    let ceilings = pair.actual.map(Self.peak)
    // Count the samples at the peak, and fit the gain on all others.
    var (product, power, count) = (0.0, 0.0, 0)
    for channel in pair.actual.indices {
      let ceiling = ceilings[channel]
      let edge = ceiling * (1 - 0x1p-18)
      let (then, now) = (pair.expected[channel], pair.actual[channel])
      now.withUnsafeBufferPointer { now in
        then.withUnsafeBufferPointer { then in
          for frame in now.indices {
            if abs(now[frame]) >= edge {
              count += 1
            } else {
              product += Double(now[frame]) * Double(then[frame])
              power += Double(then[frame]) * Double(then[frame])
            }
          }
        }
      }
    }
    guard count >= 3 * pair.channelCount, power > 0 else { return nil }
    var gain = product / power
    guard gain > 0 else { return nil }
    if abs(gain - 1) < 1e-5 { gain = 1 }
    var made = pair
    let clipped = Self.clip(&made, gain: gain, ceilings)
    guard clipped >= 3 else { return nil }
    let level = Figures.level(Double(ceilings.max() ?? 0))
    let also = gain == 1 ? "" : "\(Figures.louder(gain)) and "
    return Candidate(
      kind: .clipping,
      words: "\(also)clipped at \(level): \(Comparison.count(clipped, "sample"))", rank: 2,
      energy: made.rest.energy, apply: { _ = Self.clip(&$0, gain: gain, ceilings) })
  }

  private static func peak(_ samples: [Float]) -> Float {
    samples.withUnsafeBufferPointer { $0.reduce(0) { max($0, abs($1)) } }
  }

  /// Clips the expected sound; returns the number of samples that were beyond the ceiling.
  private static func clip(
    _ pair: inout AlignedPair, gain: Double, _ ceilings: [Float]
  ) -> Int {
    var count = 0
    for channel in pair.expected.indices {
      let ceiling = ceilings[channel]
      let edge = ceiling * (1 + 0x1p-16)
      pair.expected[channel].withUnsafeMutableBufferPointer { samples in
        for frame in samples.indices {
          let value = gain == 1 ? samples[frame] : Float(gain * Double(samples[frame]))
          if abs(value) > edge { count += 1 }
          samples[frame] = min(max(value, -ceiling), ceiling)
        }
      }
    }
    return count
  }

  // MARK: - Bits

  private var bits: Candidate? {
    // Channels without a difference say nothing about the bits.
    let differing = pair.actual.indices.filter { pair.actual[$0] != pair.expected[$0] }
    let (then, now) = (differing.map { pair.expected[$0] }, differing.map { pair.actual[$0] })
    let steps = (Quantum.step(of: now), Quantum.step(of: then))
    guard steps.0 > steps.1, steps.0 >= 0x1p-24, steps.0 <= 0x1p-1 else { return nil }
    let names = pair.names(of: differing)
    let place = names.isEmpty ? "" : " on \(names)"
    let bits = 1 - Int(steps.0.exponent)
    let step = steps.0
    guard pair.rest.peak <= 1.5 * step, Quantum.isRounded(then, now) else { return nil }
    for (words, towardsZero) in [("downwards", false), ("towards zero", true)]
    where isTruncated(step, towardsZero: towardsZero) {
      return Candidate(
        kind: .truncation, words: "truncated to \(bits) bits (\(words)), not rounded\(place)",
        rank: 2, energy: 0, apply: { $0.expected = $0.actual })
    }
    return Candidate(
      kind: .rounding, words: "rounding to \(bits) bits\(place)", rank: 1, energy: 0,
      apply: { $0.expected = $0.actual })
  }

  /// True when all samples lost at most a step in one direction, and at least one lost more than
  /// half a step.
  ///
  /// A sample that was truncated before it became a 32-bit float may have been on the other side of
  /// a step. Differences below the resolution of a float are allowed there.
  private func isTruncated(_ step: Float, towardsZero: Bool) -> Bool {
    var isMoreThanRounded = false
    for (then, now) in zip(pair.expected, pair.actual) {
      for frame in then.indices {
        let change = now[frame] - then[frame]
        let loss = (towardsZero && then[frame] < 0 ? change : -change) / step
        let slack = then[frame].ulp / step
        guard loss >= -slack, loss <= 1 + slack else { return false }
        if loss > 0.5 + slack { isMoreThanRounded = true }
      }
    }
    return isMoreThanRounded
  }

  // MARK: - Distortion

  private static let binCount = 512
  private static let blockLimit = 512

  /// A curve through the mean actual value for each expected value, if it is not a straight line.
  private var distortion: Candidate? {
    let top = pair.expected.map(Self.peak).max() ?? 0
    guard top > 0, top.isFinite else { return nil }
    let scale = Double(Self.binCount) / (2 * Double(top))
    // A sample that is not a number gives bin 0.
    func bin(of sample: Float) -> Int {
      let place = (Double(sample) + Double(top)) * scale + 0.5
      return place > 0 ? Int(min(place, Double(Self.binCount))) : 0
    }
    var (sums, values, counts) = (
      [Double](repeating: 0, count: Self.binCount + 1),
      [Double](repeating: 0, count: Self.binCount + 1),
      [Double](repeating: 0, count: Self.binCount + 1)
    )
    // The curve is fitted on every other block, and checked on the blocks between.
    let size = 1024
    forEachBlock(size, odd: false) { then, now in
      let bin = bin(of: then)
      sums[bin] += Double(now)
      values[bin] += Double(then)
      counts[bin] += 1
    }
    let knots = (0...Self.binCount).filter { counts[$0] >= 4 }
    guard knots.count > 16 else { return nil }
    // For each bin, the nearest knot at or below it.
    var (below, knot) = ([Int](repeating: 0, count: Self.binCount + 1), 0)
    for bin in 0...Self.binCount {
      if knot + 1 < knots.count, knots[knot + 1] <= bin { knot += 1 }
      below[bin] = knot
    }
    let x = knots.map { values[$0] / counts[$0] }
    let y = knots.map { sums[$0] / counts[$0] }
    let line = self.line
    var (left, lineLeft, all, tried) = (0.0, 0.0, 0.0, 0.0)
    forEachBlock(size, odd: true) { then, now in
      var knot = min(below[bin(of: then)], x.count - 2)
      if Double(then) < x[knot], knot > 0 { knot -= 1 }
      let slope = (y[knot + 1] - y[knot]) / max(x[knot + 1] - x[knot], 1e-12)
      let error = Double(now) - y[knot] - slope * (Double(then) - x[knot])
      left += error * error
      let lineError = Double(now) - line.gain * Double(then) - line.offset
      lineLeft += lineError * lineError
      all += Double(now - then) * Double(now - then)
      tried += 1
    }
    // The difference must be everywhere, and more than a gain. A single clipped peak is not a
    // curve.
    let share = energy * tried / Double(pair.count * pair.channelCount)
    guard all > 0.1 * share, lineLeft > 1e-5 * all, left < 0.1 * lineLeft else { return nil }
    return Candidate(
      kind: .distortion, words: "distortion: each sample follows the expected one by a curve",
      rank: 4, energy: energy * left / all, wholeReduction: 20)
  }

  /// The best gain and offset.
  private var line: (gain: Double, offset: Double) {
    let (power, product, count) = (
      sums.expectedSquares.reduce(0, +), sums.products.reduce(0, +),
      sums.count * Double(pair.channelCount)
    )
    let (then, now) = (sums.expected.reduce(0, +) / count, sums.actual.reduce(0, +) / count)
    let (ownPower, ownProduct) = (power - count * then * then, product - count * then * now)
    let gain = ownPower > 0 ? ownProduct / ownPower : 0
    return (gain, now - gain * then)
  }

  private func forEachBlock(_ size: Int, odd: Bool, _ body: (Float, Float) -> Void) {
    for channel in pair.actual.indices {
      pair.expected[channel].withUnsafeBufferPointer { then in
        pair.actual[channel].withUnsafeBufferPointer { now in
          // For long sounds a part of the blocks is enough.
          let step = 2 * size * max(then.count / (2 * size * Self.blockLimit), 1)
          for start in stride(from: odd ? size : 0, to: then.count, by: step) {
            for frame in start..<min(start + size, then.count) { body(then[frame], now[frame]) }
          }
        }
      }
    }
  }
}
