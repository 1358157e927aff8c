/// Text that somebody else wrote, on its way to a terminal: names, values, paths, arguments, logs.
///
/// It must not move the cursor, end its line, colour what follows or turn the direction of writing.
package enum ForeignText {
  /// True for a character that a terminal does not show as itself: controls of C0 and C1, marks of
  /// direction, characters without a width that join nothing, and ends of lines.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFEFF, 0xFFF9...0xFFFB:
      true
    default: false
    }
  }

  /// The text on one line, hidden characters written out: `\n`, `\t`, `\u{1b}`.
  package static func visible(_ text: some StringProtocol) -> String {
    escaped(text) { _ in false }
  }

  /// The same for text of several lines: line feeds and tabs stay.
  package static func visibleLines(_ text: some StringProtocol) -> String {
    escaped(text) { $0 == "\n" || $0 == "\t" }
  }

  /// Text of our own, its colours kept; whatever else is hidden in it is written out.
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

  /// At most so many characters: of a longer text the beginning and the end.
  package static func shortened(_ text: String, to limit: Int = 80) -> String {
    // A character has at least one byte; most texts are counted no further.
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
