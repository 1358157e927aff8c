import FxGraph

/// An address that starts with `http://` or `https://`.
package struct HTTPAddress: Sendable, Hashable {
  package let text: String

  /// nil for anything else, a file for one.
  package init?(_ text: String) {
    guard EndpointSpec.isAddress(text) else { return nil }
    self.text = text
  }

  /// Behind `://`.
  private var authority: String.Index {
    text.utf8.index(text.startIndex, offsetBy: text.lowercased().hasPrefix("https") ? 8 : 7)
  }

  /// Without the name and the password that it may hold, for messages.
  package var shown: String {
    let authority = authority
    let end = text[authority...].firstIndex { "/?#".contains($0) } ?? text.endIndex
    guard let at = text[authority..<end].lastIndex(of: "@") else { return text }
    return String(text[..<authority] + text[text.index(after: at)...])
  }

  /// Without what follows the path.
  package var path: Substring {
    text[..<(text.firstIndex { "?#".contains($0) } ?? text.endIndex)]
  }

  /// What a reference of a playlist at this address names; nil for what is no such address.
  func resolving(_ reference: String) -> HTTPAddress? {
    if let address = HTTPAddress(reference) { return address }
    let scheme = reference.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
    // Another scheme: file, ftp, data.
    if scheme.count < reference.count, reference[scheme.endIndex] == ":" { return nil }
    let authority = authority
    if reference.hasPrefix("//") {
      return HTTPAddress(String(text[..<authority].dropLast(2)) + reference)
    }
    let root = text[authority...].firstIndex { "/?#".contains($0) } ?? text.endIndex
    if reference.hasPrefix("/") { return HTTPAddress(String(text[..<root]) + reference) }
    let path = path
    guard root < path.endIndex, let slash = path[root...].lastIndex(of: "/") else {
      return HTTPAddress(String(text[..<root]) + "/" + reference)
    }
    return HTTPAddress(String(path[...slash]) + reference)
  }
}
