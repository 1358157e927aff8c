package import FxAudio

/// The JSON Schema (2020-12) of chain files, made from the tables that the reader itself goes by and
/// from the units of a catalog.
package enum ChainSchema {
  private typealias Member = JSONOutput.Member

  /// The schema; plugins are not in it, since which are installed differs.
  package static func schema(for catalog: any UnitCatalog) -> JSONOutput {
    let units = catalog.unitNames.compactMap { catalog.unit(named: $0)?.spec }
    var definitions = [Member("name", name), Member("value", value), Member("ends", ends)]
    for object in ChainFormat.objects where object.id != ChainFormat.chain.id {
      guard object.id != ChainFormat.unitNode.id else { continue }
      // An open object takes any key but those of another kind of node.
      let others = object.isOpen ? ChainFormat.kinds.filter { object.key($0) == nil } : []
      definitions.append(
        Member(object.id, self.object(object, more: others.map { Member($0, .bool(false)) })))
    }
    for unit in units { definitions.append(Member("unit-\(unit.id)", self.unit(unit))) }
    let kinds =
      units.map { reference("unit-\($0.id)") }
      + [
        ChainFormat.lv2Node, ChainFormat.useNode, ChainFormat.sourceNode, ChainFormat.sinkNode,
      ].map { reference($0.id) }
    definitions.append(
      Member(
        "node", .members(["description": .string("A node of a chain."), "oneOf": .array(kinds)])))
    var members: [Member] = [
      Member("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      Member("title", .string("fxrun chain")),
    ]
    if case .object(let chain) = object(ChainFormat.chain) { members += chain }
    members.append(
      Member(
        "oneOf",
        .array([
          .members([
            "required": strings(["chain"]),
            "properties": .members(["nodes": .bool(false), "connections": .bool(false)]),
          ]),
          .members([
            "required": strings(["nodes"]), "properties": .members(["chain": .bool(false)]),
          ]),
        ])))
    members.append(Member("$defs", .object(definitions)))
    return .object(members)
  }

  // MARK: Parts

  private static let name = JSONOutput.members([
    "type": .string("string"), "pattern": .string("^[A-Za-z][A-Za-z0-9_-]*$"),
  ])

  private static let value = JSONOutput.members([
    "type": .array([.string("number"), .string("string"), .string("boolean")])
  ])

  private static let ends = JSONOutput.members([
    "type": .string("string"), "pattern": .string("->"),
    "description": .string("a -> b, a -> b:port, a -> b -> c"),
  ])

  /// Text that a variable may stand in.
  private static let variable = JSONOutput.members([
    "type": .string("string"), "pattern": .string("\\$\\{"),
  ])

  private static func reference(_ name: String) -> JSONOutput {
    .members(["$ref": .string("#/$defs/\(name)")])
  }

  private static func strings(_ texts: [String]) -> JSONOutput {
    .array(texts.map { .string($0) })
  }

  private static func any(_ schemas: [JSONOutput]) -> JSONOutput {
    schemas.count == 1 ? schemas[0] : .members(["anyOf": .array(schemas)])
  }

  private static func object(_ spec: ObjectSpec, more: [JSONOutput.Member] = []) -> JSONOutput {
    // What this version does not run is not offered, so that editors mark it as fxrun does.
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

  private static func described(_ schema: JSONOutput, _ summary: String) -> JSONOutput {
    guard case .object(let members) = schema else { return schema }
    return .object([Member("description", .string(summary))] + members)
  }

  private static func shape(_ shape: ValueShape, key: String = "") -> JSONOutput {
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
        "propertyNames": ["nodes", "variables", "scenes"].contains(key) ? reference("name") : nil,
        "additionalProperties": self.shape(element),
      ])
    case .either(let shapes): any(shapes.map { self.shape($0) })
    case .anything: .members([:])
    }
  }

  private static func number(_ range: ClosedRange<Double>, isInteger: Bool = false) -> JSONOutput {
    .members([
      "type": .string(isInteger ? "integer" : "number"),
      "minimum": range.lowerBound.isFinite ? .number(range.lowerBound) : nil,
      "maximum": range.upperBound.isFinite ? .number(range.upperBound) : nil,
    ])
  }

  // MARK: Units

  private static func unit(_ spec: UnitSpec) -> JSONOutput {
    let node = ChainFormat.unitNode
    var properties: [Member] = []
    for key in node.keys where key.isSupported {
      switch key.key {
      case "unit":
        properties.append(
          Member("unit", .members(["enum": strings([spec.id, "\(spec.id)@\(spec.revision)"])])))
      case "parameters":
        properties.append(Member("parameters", parameters(spec.parameters)))
      default:
        properties.append(Member(key.key, described(shape(key.shape), key.summary)))
      }
    }
    properties += spec.options.map { Member($0.key, option($0)) }
    if let list = spec.list { properties.append(Member(list.key, self.list(list))) }
    let required = ["unit"] + spec.options.filter { $0.defaultValue == nil }.map(\.key)
    return .members([
      "title": .string(spec.name),
      "description": .string(spec.summary),
      "type": .string("object"),
      "properties": .object(properties),
      "required": strings(required),
      "additionalProperties": .bool(false),
    ])
  }

  private static func parameters(_ parameters: [ParameterSpec]) -> JSONOutput {
    .members([
      "type": .string("object"),
      "properties": .object(parameters.map { Member($0.id, parameter($0)) }),
      "additionalProperties": .bool(false),
    ])
  }

  private static func list(_ list: ListSpec) -> JSONOutput {
    let id = list.form == .ordered ? [Member("id", reference("name"))] : []
    let element = JSONOutput.members([
      "type": .string("object"),
      "properties": .object(
        id + [Member("comment", .members(["type": .string("string")]))]
          + list.options.map { Member($0.key, option($0)) }
          + list.parameters.map { Member($0.id, parameter($0)) }),
      "required": strings(list.options.filter { $0.defaultValue == nil }.map(\.key)),
      "additionalProperties": .bool(false),
    ])
    return list.form == .ordered
      ? .members(["type": .string("array"), "items": element])
      : .members([
        "type": .string("object"), "propertyNames": reference("name"),
        "additionalProperties": element,
      ])
  }

  private static func parameter(_ spec: ParameterSpec) -> JSONOutput {
    let text = JSONOutput.members(["type": .string("string")])
    let schema: JSONOutput
    if spec.isToggle {
      schema = any([
        .members(["type": .string("boolean")]),
        .members(["enum": .array([.integer(0), .integer(1)])]),
        variable,
      ])
    } else if !spec.choices.isEmpty, spec.choicesAreExclusive {
      // Labels go in any case; the enumeration is what an editor offers.
      schema = any([
        .members(["enum": strings(spec.choices.map(\.label))]),
        .members(["enum": .array(spec.choices.map { .number($0.value) })]), text,
      ])
    } else {
      schema = any([number(spec.range, isInteger: spec.isInteger), text])
    }
    return described(schema, "\(spec.summary) (\(spec.described))")
  }

  private static func option(_ spec: OptionSpec) -> JSONOutput {
    let text = JSONOutput.members(["type": .string("string")])
    let schema: JSONOutput
    switch spec.kind {
    case .choice(let labels): schema = any([.members(["enum": strings(labels)]), text])
    case .number(_, let range): schema = any([number(range), text])
    case .integer(let range): schema = shape(.integer(range))
    case .flag: schema = shape(.boolean)
    case .text, .file: schema = text
    }
    return described(schema, "\(spec.summary) (\(spec.describedRange))")
  }
}
