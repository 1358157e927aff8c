/// A text parsed as JSON: a flat array of nodes in the order of the text, each with its range.
///
/// There is no tree of objects to allocate and free, so the cost depends only on the text's length.
package final class JSONDocument: Sendable {
  package enum Kind: UInt8, Sendable {
    case object, array, string, number, `true`, `false`, null
  }

  struct Node: Sendable {
    var kind: Kind
    /// True for a string with backslashes.
    var isEscaped = false
    var start: Int32
    var end: Int32
    /// The index of the node after this one and its contents.
    var next: Int32
    /// The index of the enclosing object or array, -1 at the root.
    var parent: Int32
  }

  package let source: SourceText
  let nodes: [Node]

  init(source: SourceText, nodes: [Node]) {
    self.source = source
    self.nodes = nodes
  }

  package var root: JSONValue { JSONValue(document: self, index: 0) }
}

/// One value (or key) of a JSON text.
package struct JSONValue: Sendable {
  let document: JSONDocument
  let index: Int

  private var node: JSONDocument.Node { document.nodes[index] }
  package var kind: JSONDocument.Kind { node.kind }
  package var extent: Range<Int> { Int(node.start)..<Int(node.end) }
  package var place: Place { Place(self) }

  /// The text of a string, with escapes decoded.
  package var string: String? {
    guard kind == .string else { return nil }
    let inner = document.source.bytes[(Int(node.start) + 1)..<(Int(node.end) - 1)]
    return node.isEscaped ? JSONEscapes.decoded(inner) : String(decoding: inner, as: UTF8.self)
  }

  /// True if the bytes of `string` are the bytes between the quotes.
  var isVerbatim: Bool { kind == .string && !node.isEscaped }

  package var number: Double? { kind == .number ? Double(spelling) : nil }

  package var bool: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The value as it is written in the text.
  package var spelling: String { document.source.text(extent) }

  /// The value of an object's first member with this key.
  package subscript(key: String) -> JSONValue? {
    members.first { $0.key.string == key }?.value
  }

  /// An object's members in the order of the text.
  package var members: [(key: JSONValue, value: JSONValue)] {
    guard kind == .object else { return [] }
    var members: [(JSONValue, JSONValue)] = []
    var at = index + 1
    while at < Int(node.next) {
      members.append(
        (JSONValue(document: document, index: at), JSONValue(document: document, index: at + 1)))
      at = Int(document.nodes[at + 1].next)
    }
    return members
  }

  /// An array's elements.
  package var elements: [JSONValue] {
    guard kind == .array else { return [] }
    var elements: [JSONValue] = []
    var at = index + 1
    while at < Int(node.next) {
      elements.append(JSONValue(document: document, index: at))
      at = Int(document.nodes[at].next)
    }
    return elements
  }

  /// The kind of value, for messages: `a string`.
  package var kindName: String {
    switch kind {
    case .object: "an object"
    case .array: "a list"
    case .string: "a string"
    case .number: "a number"
    case .true, .false: "true or false"
    case .null: "null"
    }
  }

  /// The path from the root as a JSON pointer (RFC 6901).
  var pointer: String {
    var steps: [String] = []
    var at = index
    while document.nodes[at].parent >= 0 {
      let parent = Int(document.nodes[at].parent)
      var child = parent + 1
      if document.nodes[parent].kind == .array {
        var position = 0
        while child < at {
          child = Int(document.nodes[child].next)
          position += 1
        }
        steps.append(String(position))
      } else {
        while child != at, child + 1 != at { child = Int(document.nodes[child + 1].next) }
        steps.append(JSONEscapes.pointerStep(JSONValue(document: document, index: child).string))
      }
      at = parent
    }
    return steps.reversed().map { "/" + $0 }.joined()
  }
}

/// A range of a chain file that a message can point at.
package struct Place: Sendable, Equatable {
  package let value: JSONValue
  /// In bytes of the text.
  package let range: Range<Int>

  package init(_ value: JSONValue) {
    self.value = value
    range = value.extent
  }

  private init(_ value: JSONValue, range: Range<Int>) {
    self.value = value
    self.range = range
  }

  package var source: SourceText { value.document.source }
  package var path: String { value.pointer }

  /// The place of these UTF-8 bytes within a string; the whole string if it contains escapes or
  /// variables.
  package func part(_ bytes: Range<Int>, of text: String) -> Place {
    guard value.isVerbatim, value.extent.count == text.utf8.count + 2,
      bytes.upperBound <= text.utf8.count
    else { return self }
    let start = value.extent.lowerBound + 1
    return Place(value, range: (start + bytes.lowerBound)..<(start + bytes.upperBound))
  }

  package static func == (left: Place, right: Place) -> Bool {
    left.range == right.range && left.source.path == right.source.path
  }
}
