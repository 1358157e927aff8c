import FxAudio

/// An address that begins with `http://` or `https://`.
package struct HTTPAddress: Sendable, Hashable {
  package let text: String

  /// nil for anything else, such as a file.
  package init?(_ text: String) {
    guard EndpointSpec.isAddress(text) else { return nil }
    self.text = text
  }

  /// The position after `://`.
  private var authority: String.Index {
    text.utf8.index(text.startIndex, offsetBy: text.lowercased().hasPrefix("https") ? 8 : 7)
  }

  /// The address without a user name and password, for messages.
  package var shown: String {
    let authority = authority
    let end = text[authority...].firstIndex { "/?#".contains($0) } ?? text.endIndex
    guard let at = text[authority..<end].lastIndex(of: "@") else { return text }
    return String(text[..<authority] + text[text.index(after: at)...])
  }

  /// The address up to the end of its path.
  package var path: Substring {
    text[..<(text.firstIndex { "?#".contains($0) } ?? text.endIndex)]
  }

  /// Resolves a reference from a playlist at this address; nil if it is not an HTTP address.
  func resolving(_ reference: String) -> HTTPAddress? {
    if let address = HTTPAddress(reference) { return address }
    let scheme = reference.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
    // A different scheme, such as file, ftp or data.
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
