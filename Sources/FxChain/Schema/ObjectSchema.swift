import FxAudio

/// JSON Schema (2020-12), made from the readers' tables.
package enum ObjectSchema {
  typealias Member = JSONOutput.Member

  /// The schema of files that hold the first of the objects and use the others.
  package static func document(of objects: [ObjectSpec], title: String) -> JSONOutput {
    guard let root = objects.first else { return .members([:]) }
    var members = heading(title)
    if case .object(let own) = object(root) { members += own }
    let definitions = objects.dropFirst().map { Member($0.id, object($0)) }
    members.append(
      Member("$defs", .object([Member("name", name), Member("value", value)] + definitions)))
    return .object(members)
  }

  static func heading(_ title: String) -> [Member] {
    [
      Member("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      Member("title", .string(title)),
    ]
  }

  static let name = JSONOutput.members([
    "type": .string("string"), "pattern": .string("^[A-Za-z][A-Za-z0-9_-]*$"),
  ])

  static let value = JSONOutput.members([
    "type": .array([.string("number"), .string("string"), .string("boolean")])
  ])

  static let ends = JSONOutput.members([
    "type": .string("string"), "pattern": .string("->"),
    "description": .string("a -> b, a -> b:port, a -> b -> c"),
  ])

  /// Text that contains a variable.
  static let variable = JSONOutput.members([
    "type": .string("string"), "pattern": .string("\\$\\{"),
  ])

  static func reference(_ name: String) -> JSONOutput {
    .members(["$ref": .string("#/$defs/\(name)")])
  }

  static func strings(_ texts: [String]) -> JSONOutput {
    .array(texts.map { .string($0) })
  }

  static func any(_ schemas: [JSONOutput]) -> JSONOutput {
    schemas.count == 1 ? schemas[0] : .members(["anyOf": .array(schemas)])
  }

  static func object(_ spec: ObjectSpec, more: [JSONOutput.Member] = []) -> JSONOutput {
    // Keys that this version does not support are left out, so that editors mark them as fxrun
    // does.
    let keys = spec.keys.filter(\.isSupported)
    let properties = keys.map { key in
      Member(key.key, described(shape(key.shape, key: key.key), key.summary))
    }
    let required = keys.filter(\.isRequired).map(\.key)
    return .members([
      "description": .string(spec.summary),
      "type": .string("object"),
      "properties": .object(properties + more),
      "required": required.isEmpty ? nil : strings(required),
      "additionalProperties": spec.isOpen ? nil : .bool(false),
    ])
  }

  static func described(_ schema: JSONOutput, _ summary: String) -> JSONOutput {
    guard case .object(let members) = schema else { return schema }
    return .object([Member("description", .string(summary))] + members)
  }

  static func shape(_ shape: ValueShape, key: String = "") -> JSONOutput {
    switch shape {
    case .string: .members(["type": .string("string")])
    case .boolean: any([.members(["type": .string("boolean")]), variable])
    case .on: .members(["const": .bool(true)])
    case .integer(let range):
      any([
        .members([
          "type": .string("integer"), "minimum": .integer(range.lowerBound),
          "maximum": .integer(range.upperBound),
        ]), variable,
      ])
    case .quantity(_, let range): any([number(range), .members(["type": .string("string")])])
    case .word(let words): .members(["enum": strings(words)])
    case .value: reference("value")
    case .object(let spec): reference(spec.id)
    case .list(.either(let shapes)) where key == "connections":
      .members([
        "type": .string("array"),
        "items": any([reference("ends")] + shapes.dropFirst().map { self.shape($0) }),
      ])
    case .list(let element):
      .members(["type": .string("array"), "items": self.shape(element)])
    case .map(let element):
      .members([
        "type": .string("object"),
        "propertyNames": ["nodes", "variables", "scenes", "cases"].contains(key)
          ? reference("name") : nil,
        "additionalProperties": self.shape(element),
      ])
    case .either(let shapes): any(shapes.map { self.shape($0) })
    case .anything: .members([:])
    }
  }

  static func number(_ range: ClosedRange<Double>, isInteger: Bool = false) -> JSONOutput {
    .members([
      "type": .string(isInteger ? "integer" : "number"),
      "minimum": range.lowerBound.isFinite ? .number(range.lowerBound) : nil,
      "maximum": range.upperBound.isFinite ? .number(range.upperBound) : nil,
    ])
  }
}
