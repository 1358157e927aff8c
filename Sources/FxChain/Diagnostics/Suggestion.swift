/// Suggests the name that the user probably meant.
package enum Suggestion {
  /// The number of candidates that are compared.
  private static let candidateLimit = 2000

  /// The closest candidate; nil if none is close.
  ///
  /// A candidate is close if it differs only in case, `-` and `_`; if one is the beginning of the
  /// other, with at least three letters; or if it has few typing mistakes, one for every three
  /// letters. A mistake is a missing, added, wrong or swapped letter (optimal string alignment
  /// distance).
  package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    guard !word.isEmpty, word.utf8.count <= 80 else { return nil }
    let plain = folded(word)
    var best: (distance: Int, name: String)?
    for candidate in candidates.prefix(candidateLimit) where candidate.utf8.count <= 80 {
      let other = folded(candidate)
      var distance: Int
      if plain == other {
        distance = 0
      } else {
        let limit = max(1, max(plain.count, other.count) / 3)
        distance = abs(plain.count - other.count) <= limit ? slips(plain, other) : Int.max
        if distance > limit || distance >= max(plain.count, other.count) { distance = Int.max }
        if plain.count >= 3,
          other.starts(with: plain) || plain.starts(with: other) && other.count >= 3
        {
          distance = min(distance, 2)
        }
      }
      if distance < best?.distance ?? Int.max { best = (distance, candidate) }
    }
    return best?.name
  }

  /// `did you mean 'x'?`, or nothing.
  package static func hint(for word: String, in candidates: some Sequence<String>) -> [String] {
    nearest(to: word, in: candidates).map { ["did you mean '\($0)'?"] } ?? []
  }

  private static func folded(_ word: String) -> [UInt8] {
    word.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
  }

  /// Optimal string alignment distance (Damerau–Levenshtein, but a swapped pair is not edited
  /// again).
  static func slips(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for row in 0..<first.count {
      var current = [row + 1]
      for column in 0..<second.count {
        let isSame = first[row] == second[column]
        var cost = min(
          last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, first[row] == second[column - 1],
          first[row - 1] == second[column]
        {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[second.count]
  }
}
