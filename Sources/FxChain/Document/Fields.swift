/// An object's members: those that its spec knows, and the others.
package struct Fields {
  package struct Entry {
    package let name: String
    package let key: JSONValue
    package let value: JSONValue
  }

  package let object: JSONValue
  package internal(set) var known: [Entry] = []
  /// Members of an open object, which its unit reads.
  package internal(set) var others: [Entry] = []

  package subscript(key: String) -> JSONValue? { known.first { $0.name == key }?.value }
}
