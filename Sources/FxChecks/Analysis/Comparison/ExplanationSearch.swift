import FxAudio

/// Looks for the simplest change from the expected to the actual sound: a different latency, gain,
/// polarity, order of channels, or several of these.
///
/// Each possible explanation is checked on every frame. It is accepted when the remaining
/// difference is only rounding: below 2^-20 of the sound's peak or the rounding of integer samples,
/// and below a twentieth of the difference.
struct ExplanationSearch {
  private let expected: Sound
  private let actual: Sound
  private let differenceRMS: Double
  private let limit: Float

  /// Both sounds must have the same channel count, and no difference may be infinite.
  init(_ expected: Sound, _ actual: Sound, channels: [Comparison.Channel]) {
    self.expected = expected
    self.actual = actual
    differenceRMS = channels.reduce(0) { max($0, $1.rms) }
    let peak = max(expected.peak, actual.peak)
    limit = max(peak * 0x1p-20, 1.5 * (Quantum.of(expected) + Quantum.of(actual)))
  }

  /// nil when there is no simple explanation.
  var result: Comparison.Explanation? {
    if let explanation = explanation(lag: 0) { return explanation }
    var tried: Set = [0]
    let lags = LagSearch(expected: expected, actual: actual)
    for lag in lags.onsets where tried.insert(lag).inserted && lags.isLikely(lag) {
      if let explanation = explanation(lag: lag) { return explanation }
    }
    for lag in lags.correlationPeaks where tried.insert(lag).inserted && lags.isLikely(lag) {
      if let explanation = explanation(lag: lag) { return explanation }
    }
    return nil
  }

  // MARK: - One latency

  /// An expected channel and the gain that turns it into an actual channel.
  private struct Match {
    var source: Int
    var gain: Double
  }

  private func explanation(lag: Int) -> Comparison.Explanation? {
    let alignment = Alignment(expected, actual, lag: lag)
    guard alignment.holdsTheSound, alignment.headPeak <= limit else { return nil }
    guard let matches = matches(alignment) else { return nil }
    var explanation = Comparison.Explanation()
    explanation.lag = lag
    explanation.isStartMissing =
      lag < 0 && TimeCauses.sounds(expected, 0..<min(-lag, expected.frameCount))
    let order = matches.map(\.source)
    if order != Array(order.indices) { explanation.channelOrder = order }
    var gains = common(matches, alignment)
    // A gain so close to 1 counts as rounding: nobody can hear it.
    gains = gains.map { abs(abs($0) - 1) < 1e-6 ? ($0 < 0 ? -1 : 1) : $0 }
    let residual = alignment.residual(order, gains: gains)
    guard residual.peak <= limit, residual.rms <= 0.05 * differenceRMS else { return nil }
    explanation.residualPeak = residual.peak
    let inverted = gains.indices.filter { gains[$0] < 0 }
    let sounding = gains.indices.filter { alignment.energy(ofActual: $0) > 0 }
    if !inverted.isEmpty, inverted.count == sounding.count {
      explanation.isInverted = true
    } else {
      explanation.invertedChannels = inverted
    }
    let decibels = gains.map { Math.decibels(amplitude: abs($0)) }
    explanation.gain = decibels.first ?? 0
    if Set(decibels).count > 1 { explanation.channelGains = decibels }
    let isNothing =
      lag == 0 && inverted.isEmpty && explanation.channelOrder == nil && explanation.gain == 0
      && explanation.channelGains == nil
    return isNothing ? nil : explanation
  }

  /// One gain for all channels if that is exact enough; channels that are silent in both sounds
  /// take it too.
  private func common(_ matches: [Match], _ alignment: Alignment) -> [Double] {
    let sounding = matches.indices.filter { alignment.energy(ofActual: $0) > 0 }
    guard !sounding.isEmpty, matches.allSatisfy({ $0.gain != 0 }) else {
      return matches.map(\.gain)
    }
    var product = 0.0
    var energy = 0.0
    for channel in sounding {
      let match = matches[channel]
      let own = alignment.energy(ofExpected: match.source)
      product += abs(match.gain) * own
      energy += own
    }
    let gain = product / energy
    let isCommon = sounding.allSatisfy { channel in
      let peak = Double(alignment.peak(ofActual: channel))
      return abs(abs(matches[channel].gain) - gain) * peak <= Double(limit)
    }
    guard isCommon else { return matches.map(\.gain) }
    // A channel that is silent in both sounds fits any gain.
    return matches.indices.map { channel in
      guard sounding.contains(channel) else { return gain }
      return matches[channel].gain < 0 ? -gain : gain
    }
  }

  /// For each actual channel the expected channel that it is made of; the same channel if it fits.
  private func matches(_ alignment: Alignment) -> [Match]? {
    let count = actual.channelCount
    var possible: [[Match]] = []
    for channel in 0..<count {
      var found: [Match] = []
      if let own = match(channel, channel, alignment) { found.append(own) }
      if count <= 8 {
        for other in 0..<count where other != channel {
          if let match = match(channel, other, alignment) { found.append(match) }
        }
      }
      if found.isEmpty { return nil }
      // If several channels differ only in level, the one at the same level comes first.
      let same = found.filter { abs(abs($0.gain) - 1) < 1e-6 }
      possible.append(same + found.filter { abs(abs($0.gain) - 1) >= 1e-6 })
    }
    var taken = Set<Int>()
    var chosen: [Match] = []
    func choose(_ channel: Int) -> Bool {
      guard channel < count else { return true }
      for match in possible[channel] where taken.insert(match.source).inserted {
        chosen.append(match)
        if choose(channel + 1) { return true }
        chosen.removeLast()
        taken.remove(match.source)
      }
      return false
    }
    return choose(0) ? chosen : nil
  }

  /// The gain that turns an expected channel into an actual one; nil when there is none.
  private func match(_ channel: Int, _ source: Int, _ alignment: Alignment) -> Match? {
    let own = alignment.energy(ofActual: channel)
    let other = alignment.energy(ofExpected: source)
    if own == 0 {
      // The channel is silent in both sounds, or silent only in the actual one.
      if other == 0 { return Match(source: source, gain: 1) }
      return channel == source ? Match(source: source, gain: 0) : nil
    }
    guard other > 0 else { return nil }
    let product = alignment.product(channel, source)
    guard product * product > 0.999 * own * other else { return nil }
    let gain = product / other
    guard alignment.residual(channel, source, gain: gain).peak <= limit else { return nil }
    return Match(source: source, gain: gain)
  }
}
