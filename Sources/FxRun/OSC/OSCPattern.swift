import Glibc

/// The address of a message, in which `*`, `?`, `[a-f]`, `[!x]` and `{low,high}` stand for several addresses.
struct OSCPattern: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  /// Every address, however many parts it has.
  static let all = OSCPattern("//")

  /// False for an address that is only itself.
  var isPattern: Bool { text.contains { "*?[{".contains($0) } }

  /// Longer patterns, and those with more stars, match nothing: they would take long.
  private static let lengthLimit = 256
  private static let starLimit = 8

  func matches(_ address: String) -> Bool {
    guard isPattern else { return text == address || self == .all }
    guard text.utf8.count <= Self.lengthLimit, text.count(where: { $0 == "*" }) <= Self.starLimit
    else { return false }
    return Self.alternatives(of: text[...]).contains { fnmatch($0, address, FNM_PATHNAME) == 0 }
  }

  private static let alternativeLimit = 256

  /// The texts without braces that a text with braces stands for.
  private static func alternatives(of text: Substring) -> [String] {
    guard let open = text.firstIndex(of: "{"), let close = text[open...].firstIndex(of: "}") else {
      return [String(text)]
    }
    let choices = text[text.index(after: open)..<close].split(
      separator: ",", omittingEmptySubsequences: false)
    let ends = alternatives(of: text[text.index(after: close)...])
    return Array(
      choices.flatMap { choice in ends.map { "\(text[..<open])\(choice)\($0)" } }
        .prefix(alternativeLimit))
  }
}
