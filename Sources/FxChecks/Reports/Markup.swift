/// Text and numbers as HTML.
enum Markup {
  /// Escapes any text for display. Invisible characters, and those that would reorder the text
  /// around them (bidirectional overrides), become U+FFFD. The text is cut after `limit`
  /// characters.
  static func escaped(_ text: String, limit: Int = 400) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else { return result + "…" }
      count += 1
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result += " "
      default:
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x202a...0x202e, 0x2066...0x2069, 0xfdd0...0xfdef,
          0xfffe, 0xffff:
          result += "\u{fffd}"
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// Makes a sentence from words without capital and full stop; a name at the beginning keeps its
  /// case.
  static func sentence(_ words: String) -> String {
    let word = words.prefix { $0 != " " }
    guard let first = words.first.map({ word.allSatisfy(\.isLetter) ? $0.uppercased() : "\($0)" })
    else { return "" }
    let end = words.last.map { ".!?:".contains($0) } ?? false ? "" : "."
    return escaped(typographic(first + words.dropFirst()) + end)
  }

  /// Replaces hyphens before numbers by minus signs.
  static func typographic(_ words: String) -> String {
    var result = ""
    var previous: Character = " "
    let characters = Array(words)
    for (index, character) in characters.enumerated() {
      let next = index + 1 < characters.count ? characters[index + 1] : " "
      let isSign = character == "-" && (next.isNumber || next == "i") && " (±,".contains(previous)
      result.append(isSign ? "\u{2212}" : character)
      previous = character
    }
    return result
  }

  /// A list, or a paragraph for one sentence; a very long list is cut.
  static func list(_ sentences: [String]) -> String {
    guard sentences.count > 1 else { return sentences.map { "<p>\($0)</p>" }.joined() }
    let rest = sentences.count > 100 ? "<li>And \(sentences.count - 100) more.</li>" : ""
    return "<ul>" + sentences.prefix(100).map { "<li>\($0)</li>" }.joined() + rest + "</ul>"
  }

  /// `Left`; empty for a single channel.
  static func channelName(_ channel: Int, of count: Int) -> String {
    let name = Comparison.channelName(channel, of: count)
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  // MARK: Figures

  /// `−43.2 dB`; `silence` for 0.
  static func level(_ amplitude: Double) -> String {
    amplitude.isNaN ? "not a number" : typographic(Figures.level(abs(amplitude)))
  }

  /// A level that is already in decibels.
  static func decibels(_ level: Double, places: Int = 1) -> String {
    guard level.isFinite else { return level > 0 ? "infinite" : "silence" }
    return typographic(Figures.fixed(level, places: places)) + " dB"
  }

  /// Groups of three digits, separated by a narrow space: `48 000`.
  static func grouped(_ count: Int) -> String {
    let digits = String(count.magnitude)
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result.append("\u{202f}") }
      result.append(digit)
    }
    return (count < 0 ? "\u{2212}" : "") + result
  }

  /// A coordinate with one decimal place, or none for whole numbers.
  static func coordinate(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let text = Figures.fixed(min(max(value, -1e6), 1e6), places: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A share of the whole as a CSS percentage.
  static func percent(_ share: Double) -> String {
    guard share.isFinite else { return "0%" }
    return Figures.plain(min(max(share, 0), 1) * 100) + "%"
  }
}
