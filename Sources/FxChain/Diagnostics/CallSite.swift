/// A line of Swift code that made a part of a chain.
public struct CallSite: Sendable, Hashable {
  /// The module and the file: `Studio/Voice.swift`.
  public let file: String
  /// From 1.
  public let line: Int

  public init(file: String, line: Int) {
    self.file = file
    self.line = line
  }
}

/// The code that made a chain, for its messages.
package struct CodeOrigin: Sendable {
  /// The code of a part of the chain's text, by its JSON pointer.
  package var sites: [String: CallSite] = [:]
  /// Mistakes that the text cannot show: two nodes with one id.
  package var mistakes: [Diagnostic] = []

  package init() {}

  /// The code of the smallest part that holds a value.
  package func site(of pointer: String) -> CallSite? {
    guard !sites.isEmpty else { return nil }
    var part = pointer[...]
    while true {
      if let site = sites[String(part)] { return site }
      guard let slash = part.lastIndex(of: "/") else { return nil }
      part = part[..<slash]
    }
  }
}
