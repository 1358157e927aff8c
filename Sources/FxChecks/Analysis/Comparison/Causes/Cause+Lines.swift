extension Comparison {
  /// Sentences about the causes of a complex difference, and about the rest that they leave.
  var causeLines: [String] {
    guard let main = causes.first else {
      let rounding = roundingBits.map { "the same but for rounding to \($0) bits" }
      return [rounding ?? "cause unknown: \(contentSentence)"]
    }
    if causes.count == 1, main.kind == .rounding {
      return ["the same but for \(main.words)"]
    }
    let words = causes.map(\.words)
    let list = words.count == 1 ? main.words : "mostly \(words.joined(separator: ", then "))"
    guard let unexplained else {
      // Noise is estimated, not subtracted: it can hide something else.
      return [causes.contains { $0.kind == .noise } ? list : "\(list), nothing else"]
    }
    let differing = channels.reduce(0) { max($0, $1.rms) }
    let rest = "the rest of the difference has an RMS of \(Figures.level(unexplained))"
    // 15 dB below the difference: causes that can only be estimated leave that much.
    guard unexplained > 0.18 * differing else { return [list, rest] }
    return ["mostly \(words.joined(separator: ", then ")); the cause of the rest is unknown", rest]
  }
}
