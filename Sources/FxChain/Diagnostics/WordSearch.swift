/// Measures how well words match a text, for names that users remember from other programs.
package enum WordSearch {
  /// The lower-case words of a text: letters and digits, separated by other characters and before a
  /// capital after a small letter.
  package static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for letter in text {
      let isPart = letter.isLetter || letter.isNumber
      if !word.isEmpty, !isPart || wasLower && letter.isUppercase {
        words.append(word)
        word = ""
      }
      if isPart { word += letter.lowercased() }
      wasLower = letter.isLowercase
    }
    return word.isEmpty ? words : words + [word]
  }

  /// The distance of a wanted word from a text: 0 if it is one of its words, nil if it is not
  /// found. With `forgiving`, one letter in four may be missing, added, wrong or swapped.
  package static func distance(
    of wanted: String, from words: [String], forgiving: Bool
  ) -> Int? {
    if words.contains(wanted) { return 0 }
    if words.contains(where: { $0.hasPrefix(wanted) }) { return 1 }
    if words.contains(where: { $0.contains(wanted) }) { return 2 }
    // "deesser" also matches "De-esser".
    if words.indices.contains(where: { words[$0...].joined().hasPrefix(wanted) }) { return 2 }
    guard forgiving, wanted.utf8.count >= 4 else { return nil }
    let limit = max(1, wanted.utf8.count / 4)
    let pairs = zip(words, words.dropFirst()).map { $0 + $1 }
    let slips = (words + pairs).compactMap { word -> Int? in
      guard abs(word.utf8.count - wanted.utf8.count) <= limit else { return nil }
      return Suggestion.slips(Array(wanted.utf8), Array(word.utf8))
    }.min()
    return slips.flatMap { $0 <= limit ? $0 + 2 : nil }
  }

  /// The texts that match all words of a query best, in their order. If no text has all words,
  /// words with mistakes count too.
  package static func best(for query: String, in texts: [String]) -> [Int] {
    let wanted = words(query)
    guard !wanted.isEmpty, query.utf8.count <= 80 else { return [] }
    let known = texts.map(words)
    for forgiving in [false, true] {
      var found: [(distance: Int, index: Int)] = []
      for (index, words) in known.enumerated() {
        let distances = wanted.map { distance(of: $0, from: words, forgiving: forgiving) }
        let sum = distances.reduce(0) { $0 + ($1 ?? 0) }
        guard distances.allSatisfy({ $0 != nil }) else { continue }
        found.append((words == wanted ? -1 : sum, index))
      }
      if !found.isEmpty {
        let least = found.map(\.distance).min()
        return found.filter { $0.distance == least }.map(\.index)
      }
    }
    return []
  }
}
