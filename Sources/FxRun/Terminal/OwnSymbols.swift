import Glibc

/// The symbols in fxrun's own words, for a locale without UTF-8.
enum OwnSymbols {
  private static let ascii: [Unicode.Scalar: String] = [
    "×": "x", "…": "...", "·": "-", "–": "-", "—": "-", "→": "->", "←": "<-", "↔": "<->",
    "°": " deg", "µ": "u", "±": "+/-", "≤": "<=", "≥": ">=", "∞": "inf", "−": "-", "²": "2",
    "³": "3", "½": "1/2", "π": "pi", "█": "#", "▒": "=", "│": "|", "▏": "|", "─": "-", "┌": "+",
    "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "“": "\"", "”": "\"", "‘": "'", "’": "'",
  ]

  /// True if the environment sets a locale without UTF-8, such as `LC_ALL=C`.
  private static let isNeeded: Bool = {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] where getenv(name).map({ $0[0] != 0 }) == true {
      return !LiveViewStyle.localeIsUnicode
    }
    return false
  }()

  /// The text with these symbols in ASCII if the locale needs it. Names from outside stay as they
  /// are.
  static func fitted(_ text: String) -> String {
    guard isNeeded, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    var fitted = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let word = ascii[scalar] {
        fitted.append(contentsOf: word.unicodeScalars)
      } else {
        fitted.append(scalar)
      }
    }
    return String(fitted)
  }
}
