import FxAudio

/// Text on a terminal: its width, cutting, and control characters.
enum TerminalText {
  /// The columns of a text: two for East Asian characters and emoji, none for combining marks.
  static func columns(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x300...0x36F, 0x200B...0x200F, 0x20D0...0x20FF, 0xFE00...0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }

  /// A text on one line, without control characters that move the cursor or change colours.
  static func plain(_ text: String, isUnicode: Bool = true) -> String {
    let visible = ForeignText.visible(text)
    guard !isUnicode else { return visible }
    return String(String.UnicodeScalarView(visible.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
  }

  /// Rows of cells in columns, two spaces apart: the first columns aligned left, the others right.
  static func table(_ rows: [[String]], leftColumns: Int) -> String {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { columns($0[column]) }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        if column > 0 { line += "  " }
        line += fit(cell, widths[column], isRight: column >= leftColumns)
      }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  /// A text in exactly `width` columns: cut with an ellipsis, or padded.
  static func fit(_ text: String, _ width: Int, isRight: Bool = false, isUnicode: Bool = true)
    -> String
  {
    let cut = cut(text, width, isUnicode: isUnicode)
    let space = String(repeating: " ", count: max(0, width - columns(cut)))
    return isRight ? space + cut : cut + space
  }

  /// A text in at most `width` columns.
  static func cut(_ text: String, _ width: Int, isUnicode: Bool = true) -> String {
    guard columns(text) > width else { return text }
    let mark = isUnicode ? "…" : "~"
    var kept = ""
    var used = 0
    for character in text {
      let next = columns(String(character))
      guard used + next < width else { break }
      kept.append(character)
      used += next
    }
    return width > 0 ? kept + mark : ""
  }
}
