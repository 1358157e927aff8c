import Glibc

/// The appearance of the live view on a terminal.
struct LiveViewStyle: Equatable {
  var isColored = false
  /// False if the locale does not use UTF-8: lines and bars are then ASCII.
  var isUnicode = true

  enum Color: String {
    case green = "32"
    case yellow = "33"
    case red = "31"
    case dim = "2"
    case bold = "1"
  }

  func paint(_ text: String, _ color: Color?) -> String {
    guard isColored, let color, !text.isEmpty else { return text }
    return "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m"
  }

  var full: String { isUnicode ? "█" : "#" }
  var light: String { isUnicode ? "▒" : "=" }
  var hold: String { isUnicode ? "│" : "|" }
  var edge: String { isUnicode ? "▏" : "|" }
  var point: String { isUnicode ? " · " : " - " }
  var ellipsis: String { isUnicode ? "…" : "..." }

  /// True if the environment's locale uses UTF-8.
  static var localeIsUnicode: Bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let value = getenv(name), value[0] != 0 else { continue }
      let locale = String(cString: value).lowercased()
      return locale.contains("utf-8") || locale.contains("utf8")
    }
    return false
  }
}
