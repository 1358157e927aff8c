extension Comparison {
  /// Sentences about the explanation and the remaining difference.
  var explanationLines: [String] {
    guard let explanation else { return [] }
    let surplus = actual.frameCount - expected.frameCount
    var parts: [String] = []
    if explanation.lag != 0 { parts.append(lagWords(explanation)) }
    parts += gainWords(explanation)
    parts += polarityWords(explanation)
    if let order = explanation.channelOrder { parts.append(Self.words(forOrder: order)) }
    if surplus != 0, surplus != explanation.lag {
      parts.append(
        surplus < 0
          ? "\(Self.count(-surplus, "frame")) shorter" : "\(Self.count(surplus, "frame")) longer")
    }
    var first: String
    if category == .latency {
      let sign = explanation.lag > 0 ? "+" : "-"
      first =
        "equal after \(sign)\(Self.count(abs(explanation.lag), "frame")) "
        + "(\(Figures.duration(Double(explanation.lag) / expected.sampleRate)) "
        + "\(explanation.lag > 0 ? "later" : "earlier")): its latency changed"
    } else {
      first = parts.joined(separator: ", ") + (category == .channelOrder ? "" : ", nothing else")
    }
    if explanation.isStartMissing, parts.count == 1 {
      first =
        parts[0]
        + (explanation.residualPeak == 0 ? "; the rest is the same to the bit" : ", nothing else")
    }
    if category == .latency, surplus != 0 {
      first +=
        "; \(Self.count(abs(surplus), "frame")) \(surplus < 0 ? "shorter" : "longer") as well"
    }
    guard explanation.residualPeak > 0 else { return [first] }
    let level = Figures.level(Double(explanation.residualPeak))
    return [first, "the rest of the difference is rounding: \(level) at most"]
  }

  private func lagWords(_ explanation: Explanation) -> String {
    let lag = explanation.lag
    let length = Figures.duration(Double(lag) / expected.sampleRate)
    if explanation.isStartMissing {
      return lag == -1
        ? "its first frame (\(length)) is missing"
        : "its first \(-lag) frames (\(length)) are missing"
    }
    return "\(Self.count(abs(lag), "frame")) (\(length)) \(lag > 0 ? "later" : "earlier")"
  }

  /// The parts of a simple explanation, as causes.
  var explainedCauses: [Cause] {
    let all = Double.infinity
    let surplus = actual.frameCount - expected.frameCount
    guard let explanation else {
      guard category == .length else { return [] }
      return [Cause(surplus < 0 ? .missingEnd : .longer, lengthSentence, reduction: all)]
    }
    var causes: [Cause] = []
    if explanation.lag != 0 {
      let kind = explanation.isStartMissing ? Cause.Kind.missingStart : .latency
      causes.append(Cause(kind, lagWords(explanation), reduction: all))
    }
    let gain = explanation.channelGains == nil ? Cause.Kind.gain : .balance
    let gains = gainWords(explanation)
    if !gains.isEmpty {
      causes.append(Cause(gain, gains.joined(separator: ", "), reduction: all))
    }
    causes += polarityWords(explanation).map { Cause(.polarity, $0, reduction: all) }
    if let order = explanation.channelOrder {
      causes.append(Cause(.channelOrder, Self.words(forOrder: order), reduction: all))
    }
    if surplus != 0, surplus != explanation.lag {
      causes.append(Cause(surplus < 0 ? .missingEnd : .longer, lengthSentence, reduction: all))
    }
    return causes
  }

  private func gainWords(_ explanation: Explanation) -> [String] {
    func words(_ gain: Double) -> String {
      if gain == -.infinity { return "silent" }
      return "\(Figures.change(gain)) \(gain > 0 ? "louder" : "quieter")"
    }
    guard let gains = explanation.channelGains else {
      return explanation.gain == 0 ? [] : [words(explanation.gain)]
    }
    return gains.indices.filter { gains[$0] != 0 }.map {
      "\(Self.channelName($0, of: gains.count)) \(words(gains[$0]))"
    }
  }

  private func polarityWords(_ explanation: Explanation) -> [String] {
    if explanation.isInverted { return ["its polarity is inverted"] }
    guard !explanation.invertedChannels.isEmpty else { return [] }
    let names = explanation.invertedChannels.map {
      Self.channelName($0, of: actual.channelCount)
    }
    return ["the polarity of \(Self.list(names)) is inverted"]
  }

  private static func words(forOrder order: [Int]) -> String {
    let moved = order.indices.filter { order[$0] != $0 }
    if moved.count == 2, order[moved[0]] == moved[1] {
      let names = moved.map { channelName($0, of: order.count) }
      return "\(list(names)) are swapped"
    }
    let words = moved.map { "\($0 + 1) is \(order[$0] + 1)" }
    return "its channels are in another order: \(list(words)) of those expected"
  }

  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) and \(last)"
  }
}
