package import FxDiagnostics

/// An object's members, sorted into those its spec knows and the others.
package struct Fields {
  package struct Entry {
    package let name: String
    package let key: JSONValue
    package let value: JSONValue
  }

  package let object: JSONValue
  package internal(set) var known: [Entry] = []
  /// What an open object leaves to its unit.
  package internal(set) var others: [Entry] = []

  package subscript(key: String) -> JSONValue? { known.first { $0.name == key }?.value }
}
