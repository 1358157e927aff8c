/// Makes text from outside safe for a terminal: names, values, paths, arguments, logs.
///
/// Such text must not move the cursor, break its line, colour later text or reverse the writing
/// direction.
package enum ForeignText {
  /// True for a character that a terminal does not show as itself: C0 and C1 controls, direction
  /// marks, invisible characters other than joiners, and line ends.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFEFF, 0xFFF9...0xFFFB:
      true
    default: false
    }
  }

  /// The text on one line, with hidden characters escaped: `\n`, `\t`, `\u{1b}`.
  package static func visible(_ text: some StringProtocol) -> String {
    escaped(text) { _ in false }
  }

  /// The same for text of several lines: line feeds and tabs are kept.
  package static func visibleLines(_ text: some StringProtocol) -> String {
    escaped(text) { $0 == "\n" || $0 == "\t" }
  }

  /// fxrun's own text: colours are kept, other hidden characters are escaped.
  package static func withColours(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isHidden($0) && $0 != "\n" && $0 != "\t" }) else {
      return text
    }
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if let colour = colour(rest) {
        result.unicodeScalars.append(contentsOf: colour)
        rest = rest[colour.endIndex...]
        continue
      }
      append(scalar, to: &result) { $0 == "\n" || $0 == "\t" }
      rest = rest.dropFirst()
    }
    return result
  }

  /// At most `limit` characters: the beginning and the end of a longer text.
  package static func shortened(_ text: String, to limit: Int = 80) -> String {
    // A character has at least one byte, so most texts need no further count.
    guard text.utf8.count > limit else { return text }
    let head = text.prefix(limit + 1)
    guard head.count > limit else { return text }
    let end = max(0, limit / 4)
    return "\(head.prefix(max(0, limit - end - 1)))…\(text.suffix(end))"
  }

  /// The escape sequence of a colour at the beginning of a text: `ESC [ 1 ; 31 m`.
  private static func colour(
    _ text: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView? {
    guard text.first == "\u{1B}", text.dropFirst().first == "[" else { return nil }
    let numbers = text.dropFirst(2).prefix(16).prefix { "0"..."9" ~= $0 || $0 == ";" }
    guard numbers.endIndex < text.endIndex, text[numbers.endIndex] == "m" else { return nil }
    return text[...numbers.endIndex]
  }

  private static func escaped(
    _ text: some StringProtocol, keeping isKept: (Unicode.Scalar) -> Bool
  ) -> String {
    guard text.unicodeScalars.contains(where: { isHidden($0) && !isKept($0) }) else {
      return String(text)
    }
    var result = ""
    for scalar in text.unicodeScalars { append(scalar, to: &result, keeping: isKept) }
    return result
  }

  private static func append(
    _ scalar: Unicode.Scalar, to text: inout String, keeping isKept: (Unicode.Scalar) -> Bool
  ) {
    guard isHidden(scalar), !isKept(scalar) else {
      text.unicodeScalars.append(scalar)
      return
    }
    switch scalar {
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    default: text += "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}
