/// The distance between two URIs, for suggestions.
enum URIDistance {
  /// The candidates nearest to an unknown URI, best first; candidates that differ too much are
  /// skipped.
  static func nearest(to uri: String, among candidates: [String], limit: Int) -> [String] {
    guard limit > 0 else { return [] }
    let wanted = letters(uri)
    let wantedName = letters(lastPart(uri))
    var ranked: [(distance: Int, uri: String)] = []
    for candidate in candidates {
      let whole = distance(wanted, letters(candidate))
      // A correct name after a wrong address is likely what the user meant.
      let name = distance(wantedName, letters(lastPart(candidate)))
      // Most addresses start alike, so a common start says nothing.
      if whole <= min(max(wanted.count / 8, 4), 8) || name <= wantedName.count / 4 {
        ranked.append((min(whole, name * 3 + 2), candidate))
      }
    }
    ranked.sort { ($0.distance, $0.uri) < ($1.distance, $1.uri) }
    return ranked.prefix(limit).map(\.uri)
  }

  /// The number of one-byte edits that turn one text into the other (Levenshtein).
  static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    if first.isEmpty || second.isEmpty { return max(first.count, second.count) }
    var row = Array(0...second.count)
    for (line, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, other) in second.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }

  /// In lower case, at most 256 bytes.
  private static func letters(_ text: some StringProtocol) -> [UInt8] {
    Array(text.lowercased().utf8.prefix(256))
  }

  private static func lastPart(_ uri: String) -> Substring {
    uri.split { "#/:".contains($0) }.last ?? Substring(uri)
  }
}
