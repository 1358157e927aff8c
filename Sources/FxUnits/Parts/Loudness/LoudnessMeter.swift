package import FxAudio

/// Perceived loudness: momentary, short-term and integrated loudness, and loudness range.
///
/// Momentary and short-term loudness change every 10 ms. The blocks of the integrated loudness begin
/// every 100 ms, those of the range every second.
///
/// Allocated on the control thread, used on the render thread. Levels are in LUFS, minus infinity
/// before there is enough sound. Any split into blocks gives the same bits.
///
/// Sources: ITU-R BS.1770-4 (weights, gates), EBU R 128, EBU Tech 3341 (times) and 3342 (range).
package struct LoudnessMeter: ~Copyable {
  /// The steps of 100 ms in a short-term loudness.
  private static var stepCount: Int { @_noLocks get { 30 } }
  /// The rows of `parts`: a short-term loudness ends within a step, so it needs one step more.
  private static var rowCount: Int { @_noLocks get { stepCount &+ 1 } }
  private static var largestPartCount: Int { @_noLocks get { 10 } }

  private let channelCount: Int
  package let stepLength: Int
  /// The parts of a step: 10 of 10 ms, except at sample rates below 100 Hz.
  private let partCount: Int
  private let weights: UnsafeMutablePointer<SIMD2<Double>>
  /// One for each pair of channels.
  private let filters: UnsafeMutablePointer<KWeighting>
  private let sums: UnsafeMutablePointer<SIMD2<Double>>
  /// The mean energies of the latest steps, in a ring.
  private let steps: UnsafeMutablePointer<Double>
  /// The energies of the latest steps from their start to the end of each part: a ring of steps.
  private let parts: UnsafeMutablePointer<Double>
  private let blocks: LoudnessHistogram
  private let longBlocks = LoudnessHistogram()
  /// Frames of the current step so far.
  package private(set) var frameCount = 0
  /// The number of complete steps of 100 ms. The integrated loudness and the range change when it
  /// changes.
  private(set) var completeCount = 0
  /// The complete parts of the current step. The other levels change when it changes.
  private(set) var completePartCount = 0

  /// The loudness of the last 400 ms and of the last 3 s.
  package private(set) var momentary = -Double.infinity
  package private(set) var shortTerm = -Double.infinity
  /// The highest of each so far.
  package private(set) var highestMomentary = -Double.infinity
  package private(set) var highestShortTerm = -Double.infinity

  /// - Parameters:
  ///   - layout: The roles of the channels: surround channels count 1.41 times, the LFE does not
  ///     count.
  ///   - keepsBlocks: Whether `keptBlocks` is wanted, which takes more memory.
  package init(
    channelCount: Int, layout: ChannelLayout, sampleRate: Double,
    keepsBlocks: Bool = false
  ) {
    blocks = LoudnessHistogram(isFine: keepsBlocks)
    self.channelCount = channelCount
    stepLength = max(1, Int((sampleRate / 10).rounded()))
    partCount = min(Self.largestPartCount, stepLength)
    let pairCount = (channelCount + 1) / 2
    weights = .allocate(capacity: max(pairCount, 1))
    filters = .allocate(capacity: max(pairCount, 1))
    sums = .allocate(capacity: max(pairCount, 1))
    steps = .allocate(capacity: Self.stepCount)
    parts = .allocate(capacity: Self.rowCount * Self.largestPartCount)
    parts.initialize(repeating: 0, count: Self.rowCount * Self.largestPartCount)
    let known = Self.weights(layout, channelCount)
    for pair in 0..<pairCount {
      let second = 2 * pair + 1 < channelCount ? known[2 * pair + 1] : 0
      (weights + pair).initialize(to: SIMD2(known[2 * pair], second))
    }
    filters.initialize(repeating: KWeighting(sampleRate: sampleRate), count: pairCount)
    sums.initialize(repeating: .zero, count: pairCount)
    steps.initialize(repeating: 0, count: Self.stepCount)
  }

  /// The bytes that a meter with this channel count allocates.
  package static func byteCount(channelCount: Int) -> Int {
    let pairCount = (channelCount + 1) / 2
    return pairCount * (2 * MemoryLayout<SIMD2<Double>>.stride + MemoryLayout<KWeighting>.stride)
      + (stepCount + rowCount * largestPartCount) * MemoryLayout<Double>.stride
      + 2 * LoudnessHistogram.byteCount
  }

  /// The weight of each channel's energy: 1.41 for loudspeakers at 60° to 120°, or for the back
  /// pair when there is no side pair.
  private static func weights(_ layout: ChannelLayout, _ channelCount: Int) -> [Double] {
    let names = layout.channels
    guard names.count == channelCount else {
      return [Double](repeating: 1, count: channelCount)
    }
    let hasSides = names.contains(.sideLeft)
    return names.map { name in
      switch name {
      case .lowFrequency: 0
      case .sideLeft, .sideRight: 1.41
      case .backLeft, .backRight: hasSides ? 1 : 1.41
      default: 1
      }
    }
  }

  deinit {
    weights.deallocate()
    filters.deallocate()
    sums.deallocate()
    steps.deallocate()
    parts.deallocate()
  }

  /// The blocks of 400 ms so far, of a meter that keeps them.
  package var keptBlocks: LoudnessBlocks { blocks.bins }

  // MARK: - Realtime

  /// Takes the next frames.
  @_noLocks
  package mutating func take(
    _ channels: UnsafePointer<UnsafePointer<Float>>, from start: Int = 0, frameCount total: Int
  ) {
    var done = 0
    while done < total {
      let rest = stepLength &* (completePartCount &+ 1) / partCount &- frameCount
      let count = rest < total - done ? rest : total - done
      for pair in 0..<(channelCount + 1) / 2 {
        let first = channels[2 * pair] + start + done
        let second = 2 * pair + 1 < channelCount ? channels[2 * pair + 1] + start + done : first
        filters[pair].addSquares(first, second, count: count, to: &sums[pair])
      }
      done += count
      frameCount += count
      if count == rest { finishPart() }
    }
  }

  @_noLocks
  private mutating func finishPart() {
    var energy = 0.0
    for pair in 0..<(channelCount + 1) / 2 {
      let weighted = weights[pair] * sums[pair]
      energy += weighted.x + weighted.y
    }
    parts[row(of: completeCount) &+ completePartCount] = energy
    if completePartCount &+ 1 == partCount {
      finishStep(energy)
    } else {
      if completeCount >= 4 { momentary = LoudnessBlocks.loudness(ofEnergy: slidingMean(of: 4)) }
      if completeCount >= Self.stepCount {
        shortTerm = LoudnessBlocks.loudness(ofEnergy: slidingMean(of: Self.stepCount))
      }
      completePartCount &+= 1
    }
    if momentary > highestMomentary { highestMomentary = momentary }
    if shortTerm > highestShortTerm { highestShortTerm = shortTerm }
  }

  @_noLocks
  private func row(of step: Int) -> Int { step % Self.rowCount &* Self.largestPartCount }

  /// The mean energy of as many frames as `count` steps have, up to the part that has just ended.
  @_noLocks
  private func slidingMean(of count: Int) -> Double {
    let oldest = row(of: completeCount &- count)
    var sum = parts[row(of: completeCount) &+ completePartCount]
    sum += parts[oldest &+ partCount &- 1] - parts[oldest &+ completePartCount]
    for back in 1..<count { sum += parts[row(of: completeCount &- back) &+ partCount &- 1] }
    return sum / Double(count &* stepLength)
  }

  @_noLocks
  private mutating func finishStep(_ energy: Double) {
    for pair in 0..<(channelCount + 1) / 2 { sums[pair] = .zero }
    steps[completeCount % Self.stepCount] = energy / Double(stepLength)
    frameCount = 0
    completePartCount = 0
    completeCount += 1
    if completeCount >= 4 {
      let mean = mean(ofLatest: 4)
      momentary = LoudnessBlocks.loudness(ofEnergy: mean)
      blocks.add(energy: mean)
    }
    if completeCount >= Self.stepCount {
      let mean = mean(ofLatest: Self.stepCount)
      shortTerm = LoudnessBlocks.loudness(ofEnergy: mean)
      if completeCount % 10 == 0 { longBlocks.add(energy: mean) }
    }
  }

  @_noLocks
  private func mean(ofLatest count: Int) -> Double {
    var sum = 0.0
    for age in 1...count { sum += steps[(completeCount - age) % Self.stepCount] }
    return sum / Double(count)
  }

  /// The loudness of all frames so far: the mean of the blocks of 400 ms that are at most 10 LU
  /// below the mean of the blocks above -70 LUFS.
  package var integrated: Double {
    @_noLocks get {
      let relative = blocks.mean(above: blocks.gate) * 0.1
      let gate = relative > blocks.gate ? relative : blocks.gate
      return LoudnessBlocks.loudness(ofEnergy: blocks.mean(above: gate))
    }
  }

  /// The loudness range in LU.
  package var range: Double {
    @_noLocks get { longBlocks.range(above: longBlocks.mean(above: 0) * 0.01) }
  }

  @_noLocks
  package mutating func clear() {
    for pair in 0..<(channelCount + 1) / 2 {
      filters[pair].clear()
      sums[pair] = .zero
    }
    blocks.clear()
    longBlocks.clear()
    frameCount = 0
    completeCount = 0
    completePartCount = 0
    momentary = -.infinity
    shortTerm = -.infinity
    highestMomentary = -.infinity
    highestShortTerm = -.infinity
  }
}
