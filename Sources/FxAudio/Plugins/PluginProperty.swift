/// A setting of a plugin that is not a port: a file, a number, a word (`patch:writable`).
package struct PluginProperty: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// A number with its spec; the spec's id is the property's short name.
    case number(ParameterSpec)
    case flag
    case text
    case uri
    case file
    /// A type that a chain cannot set, by its URI.
    case unsupported(String)
  }

  package var uri: String
  /// Its name in a chain: an LV2 symbol, or the last part of its URI.
  package var name: String
  /// The label for users.
  package var label: String
  package var kind: Kind

  package init(uri: String, name: String, label: String, kind: Kind) {
    self.uri = uri
    self.name = name
    self.label = label
    self.kind = kind
  }

  /// The property that a word names by URI, name or label. Case matters only if there is an exact
  /// match.
  package static func find(_ word: String, in properties: [PluginProperty]) -> PluginProperty? {
    let keys: [(PluginProperty) -> String] = [{ $0.uri }, { $0.name }, { $0.label }]
    for key in keys {
      if let found = properties.first(where: { key($0) == word }) { return found }
    }
    let word = word.lowercased()
    for key in keys.dropFirst() {
      let found = properties.filter { key($0).lowercased() == word }
      if found.count == 1 { return found[0] }
    }
    return nil
  }
}
