import FxAudio

extension Comparison.Shape {
  package init(_ sound: Sound) {
    self.init(
      channelCount: sound.channelCount, frameCount: sound.frameCount,
      sampleRate: sound.sampleRate)
  }
}

extension Comparison {
  /// Compares two sounds and looks for the simplest explanation of the difference.
  ///
  /// The time is linear in the frames, and n log n when it looks for a different latency. If
  /// channel counts, sample rates or lengths differ, this is reported, and the common part is
  /// compared.
  package init(expected: Sound, actual: Sound) {
    let channels = zip(expected.channels, actual.channels).map {
      Channel(expected: $0, actual: $1)
    }
    self.init(
      expected: Shape(expected), actual: Shape(actual), category: .same, channels: channels)
    surplusPeak = Self.surplusPeak(expected, actual)
    let isSameAsFar = channels.allSatisfy { $0.firstDifference == nil }
    if self.expected.sampleRate != self.actual.sampleRate {
      category = .sampleRate
    } else if self.expected.channelCount != self.actual.channelCount {
      category = .channelCount
    } else if isSameAsFar {
      category = self.expected.frameCount == self.actual.frameCount ? .same : .length
    } else {
      explain(expected, actual)
    }
    if causes.isEmpty { causes = explainedCauses }
  }

  private mutating func explain(_ expected: Sound, _ actual: Sound) {
    roundingBits = Quantum.roundingBits(expected, actual, difference: channels)
    if channels.contains(where: { $0.nonFiniteCount > 0 }) {
      category = .nonFinite
    } else if channels.allSatisfy({ $0.actualPeak == 0 }) {
      category = .silent
    } else {
      let (expected, actual) = Self.withoutSharedStrangers(expected, actual)
      explanation = ExplanationSearch(expected, actual, channels: channels).result
      category = explanation.map { self.category(of: $0) } ?? .content
      if explanation == nil, channels.allSatisfy({ $0.peak.isFinite }),
        channels.contains(where: { $0.expectedPeak > 0 }),
        max(expected.peak, actual.peak) <= Self.loudest
      {
        let search = CauseSearch(expected, actual)
        (causes, unexplained) = (search.causes, search.unexplained)
      }
    }
    compareSpectra(expected, actual)
  }

  /// 240 dB. Beyond it, sums of products of samples come near to the largest number.
  private static let loudest: Float = 0x1p40

  /// The sounds with 0 in place of samples that are infinite or not a number and have the same bits
  /// in both. Such samples are no difference.
  private static func withoutSharedStrangers(
    _ expected: Sound, _ actual: Sound
  ) -> (Sound, Sound) {
    var (expected, actual) = (expected, actual)
    for channel in expected.channels.indices where actual.channels.indices.contains(channel) {
      let (then, now) = (expected.channels[channel], actual.channels[channel])
      for frame in then.indices where !then[frame].isFinite {
        guard now.indices.contains(frame), then[frame].bitPattern == now[frame].bitPattern else {
          continue
        }
        expected.channels[channel][frame] = 0
        actual.channels[channel][frame] = 0
      }
    }
    return (expected, actual)
  }

  private func category(of explanation: Explanation) -> Category {
    var categories: [Category] = []
    if explanation.lag != 0 {
      categories.append(explanation.isStartMissing ? .length : .latency)
    }
    if explanation.isInverted || !explanation.invertedChannels.isEmpty {
      categories.append(.polarity)
    }
    if explanation.gain != 0 || explanation.channelGains != nil { categories.append(.gain) }
    if explanation.channelOrder != nil { categories.append(.channelOrder) }
    let surplus = actual.frameCount - expected.frameCount
    if surplus != 0, surplus != explanation.lag { categories.append(.length) }
    return categories.count == 1 ? categories[0] : .combined
  }

  /// The highest magnitude of the frames that only the longer sound has.
  private static func surplusPeak(_ expected: Sound, _ actual: Sound) -> Float {
    let count = min(expected.frameCount, actual.frameCount)
    let longer = expected.frameCount > count ? expected : actual
    return longer.channels.reduce(0) { peak, channel in
      channel.dropFirst(count).reduce(peak) { max($0, abs($1)) }
    }
  }

  // MARK: - Spectra

  /// -80 dB: a third-octave band is ignored when both sounds are below it.
  private static let quietPower = 1e-8
  /// -100 dB: lower levels count as this level, because they are only rounding.
  private static let leastPower = 1e-10

  private mutating func compareSpectra(_ expected: Sound, _ actual: Sound) {
    guard let deviations = Self.deviations(expected, actual) else { return }
    spectralDeviation = deviations.reduce(0) { max($0, abs($1.decibels)) }
    guard category == .content else { return }
    let audible = deviations.filter { abs($0.decibels) >= 0.05 }
      .sorted { abs($0.decibels) * $0.weight > abs($1.decibels) * $1.weight }
    bands = audible.prefix(8).map { Band(hertz: $0.hertz, decibels: $0.decibels) }
  }

  /// For each third-octave band, the change of the channel that changes most. `weight` is the level
  /// of the louder sound above -80 dB.
  static func deviations(
    _ expected: Sound, _ actual: Sound
  ) -> [(hertz: Double, decibels: Double, weight: Double)]? {
    let count = min(expected.frameCount, actual.frameCount)
    guard count > 0, expected.sampleRate == actual.sampleRate,
      let analysis = ThirdOctaves(sampleRate: expected.sampleRate)
    else { return nil }
    var deviations = analysis.thirds.map { (hertz: $0.hertz, decibels: 0.0, weight: 0.0) }
    for (one, other) in zip(expected.channels, actual.channels) {
      if one == other { continue }
      let then = analysis.powers(one, frameCount: count)
      let now = analysis.powers(other, frameCount: count)
      for index in deviations.indices where max(then[index], now[index]) > quietPower {
        let ratio = max(now[index], leastPower) / max(then[index], leastPower)
        let decibels = 10 * Math.log2(ratio) * 0.301_029_995_663_981_2
        guard abs(decibels) > abs(deviations[index].decibels) else { continue }
        let level = Math.log2(max(then[index], now[index]) / quietPower)
        deviations[index].decibels = decibels
        deviations[index].weight = level
      }
    }
    return deviations
  }
}
