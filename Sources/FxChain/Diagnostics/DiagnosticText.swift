import FxAudio

/// Messages for people: place, sentence, source line, caret, hints.
extension Diagnostics {
  /// All messages and a summary line; empty if there are none.
  package func text(isColored: Bool = false) -> String {
    var text = all.map { $0.text(isColored: isColored) }.joined()
    let hidden = errorCount + warningCount - all.count { $0.severity != .note }
    if hidden > 0 { text += "… and \(hidden) more\n" }
    if let summary { text += summary + "\n" }
    return text
  }

  /// `2 errors, 1 warning`; nil when there is neither.
  package var summary: String? {
    var parts: [String] = []
    if errorCount > 0 { parts.append(errorCount == 1 ? "1 error" : "\(errorCount) errors") }
    if warningCount > 0 {
      parts.append(warningCount == 1 ? "1 warning" : "\(warningCount) warnings")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension Diagnostic {
  /// The most columns of a quoted source line; a longer line is cut around the caret.
  static let windowWidth = 120

  package func text(isColored: Bool = false) -> String {
    let paint = Paint(isOn: isColored)
    var location = ""
    if let file, let line {
      let column = column.map { ":\($0)" } ?? ""
      location = paint.bold("\(shown(file)):\(line)\(column):") + " "
    } else if let origin {
      location = paint.bold("\(shown(origin)):") + " "
    }
    var text =
      "\(location)\(paint.severity(severity)) \(paint.bold(ForeignText.visible(message)))\n"
    if let excerpt {
      text += excerpt.source + "\n"
      text += excerpt.indent + paint.caret(excerpt.underline) + "\n"
    }
    for hint in hints { text += "  \(ForeignText.visible(hint))\n" }
    return text
  }

  /// The name of a file or an argument, on one line and shortened.
  private func shown(_ name: String) -> String {
    ForeignText.visible(ForeignText.shortened(name, to: 400))
  }

  /// The source line and the underline below it.
  private var excerpt: (source: String, indent: String, underline: String)? {
    guard let place else { return nil }
    let source = place.source
    let line = source.lineRange(around: place.range.lowerBound)
    guard !line.isEmpty else { return nil }
    let start = min(max(place.range.lowerBound, line.lowerBound), line.upperBound)
    let end = min(max(place.range.upperBound, start), line.upperBound)
    // Only the bytes near the caret are decoded.
    let reach = Self.windowWidth * 4
    let left = source.boundary(max(line.lowerBound, start - reach))
    let right = source.boundary(min(line.upperBound, start + reach))
    var before = Self.printable(source.text(left..<start))
    var marked = Self.printable(source.text(start..<min(end, max(start, right))))
    var after = Self.printable(source.text(max(min(end, right), start)..<max(right, start)))
    var isCutLeft = left > line.lowerBound
    var isCutRight = right < line.upperBound
    if before.count + marked.count + after.count > Self.windowWidth {
      marked = Array(marked.prefix(Self.windowWidth / 2))
      let follows = min(after.count, Self.windowWidth / 3)
      let precedes = Self.windowWidth - marked.count - follows
      if before.count > precedes {
        before = Array(before.suffix(precedes))
        isCutLeft = true
      }
      let room = max(0, Self.windowWidth - before.count - marked.count)
      if after.count > room {
        after = Array(after.prefix(room))
        isCutRight = true
      }
    }
    let dots: [Character] = ["…"]
    if isCutLeft { before = dots + before }
    if isCutRight { after += dots }
    let indent = before.map { $0 == "\t" ? "\t" : String(repeating: " ", count: $0.columns) }
    let width = marked.reduce(0) { $0 + $1.columns }
    return (
      String(before + marked + after), indent.joined(),
      "^" + String(repeating: "~", count: max(0, width - 1))
    )
  }

  /// Replaces each control character except tabs by a visible one.
  private static func printable(_ text: String) -> [Character] {
    text.map { character in
      let isHidden = character.unicodeScalars.contains(where: ForeignText.isHidden)
      return isHidden && character != "\t" ? "\u{FFFD}" : character
    }
  }
}

extension SourceText {
  /// The last offset at or before this one where a UTF-8 character begins.
  fileprivate func boundary(_ offset: Int) -> Int {
    var offset = offset
    while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
    return offset
  }
}

extension Character {
  /// The columns on a terminal: two for East Asian wide characters and emoji.
  fileprivate var columns: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}

/// Terminal colours.
private struct Paint {
  let isOn: Bool

  func bold(_ text: String) -> String { wrapped(text, "1") }
  func caret(_ text: String) -> String { wrapped(text, "1;32") }

  func severity(_ severity: Diagnostic.Severity) -> String {
    let code =
      switch severity {
      case .error: "1;31"
      case .warning: "1;35"
      case .note: "1;36"
      }
    return wrapped("\(severity.rawValue):", code)
  }

  private func wrapped(_ text: String, _ code: String) -> String {
    isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
