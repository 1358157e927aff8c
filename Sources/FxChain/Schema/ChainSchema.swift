package import FxAudio
import FxEngine

/// The JSON Schema (2020-12) of chain files, made from the reader's own tables and from the units
/// of a catalog.
package enum ChainSchema {
  private typealias Member = JSONOutput.Member

  /// The schema. It contains no plugins, because the installed plugins differ.
  package static func schema(
    for catalog: any UnitCatalog, _ endpoints: EndpointCatalog
  ) -> JSONOutput {
    var definitions = [
      Member("name", ObjectSchema.name), Member("value", ObjectSchema.value),
      Member("ends", ObjectSchema.ends),
    ]
    for object in ChainFormat.objects(endpoints) where object.id != ChainFormat.chain.id {
      guard object.id != ChainFormat.unitNode.id else { continue }
      // An open object accepts any key except those of another kind of node.
      let others = object.isOpen ? ChainFormat.kinds.filter { object.key($0) == nil } : []
      definitions.append(
        Member(
          object.id, ObjectSchema.object(object, more: others.map { Member($0, .bool(false)) })))
    }
    var references: [JSONOutput] = []
    for name in catalog.unitNames {
      for (index, type) in catalog.revisions(ofUnit: name).enumerated() {
        let id = "unit-\(index == 0 ? name : type.spec.revisionName)"
        definitions.append(Member(id, unit(type.spec, isLatest: index == 0)))
        references.append(ObjectSchema.reference(id))
      }
    }
    let kinds =
      references
      + [
        ChainFormat.lv2Node, ChainFormat.useNode, ChainFormat.sourceNode, ChainFormat.sinkNode,
      ].map { ObjectSchema.reference($0.id) }
    definitions.append(
      Member(
        "node", .members(["description": .string("A node of a chain."), "oneOf": .array(kinds)])))
    var members = ObjectSchema.heading("fxrun chain")
    if case .object(let chain) = ObjectSchema.object(ChainFormat.chain) { members += chain }
    members.append(
      Member(
        "oneOf",
        .array([
          .members([
            "required": ObjectSchema.strings(["chain"]),
            "properties": .members(["nodes": .bool(false), "connections": .bool(false)]),
          ]),
          .members([
            "required": ObjectSchema.strings(["nodes"]),
            "properties": .members(["chain": .bool(false)]),
          ]),
        ])))
    members.append(Member("$defs", .object(definitions)))
    return .object(members)
  }

  // MARK: Units

  private static func unit(_ spec: UnitSpec, isLatest: Bool) -> JSONOutput {
    let node = ChainFormat.unitNode
    var properties: [Member] = []
    for key in node.keys where key.isSupported {
      switch key.key {
      case "unit":
        properties.append(
          Member(
            "unit",
            .members([
              "enum": ObjectSchema.strings((isLatest ? [spec.id] : []) + [spec.revisionName])
            ])))
      case "midi" where !spec.takesMIDI: continue
      case "preset" where spec.presets.isEmpty: continue
      case "preset":
        properties.append(
          Member(
            "preset",
            ObjectSchema.described(
              ObjectSchema.any([
                .members(["enum": ObjectSchema.strings(spec.presets.map(\.name))]),
                ObjectSchema.variable,
              ]), key.summary)))
      case "parameters":
        properties.append(Member("parameters", parameters(spec.parameters)))
      default:
        properties.append(
          Member(key.key, ObjectSchema.described(ObjectSchema.shape(key.shape), key.summary)))
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
      "required": ObjectSchema.strings(required),
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
    let id = list.form == .ordered ? [Member("id", ObjectSchema.reference("name"))] : []
    let element = JSONOutput.members([
      "type": .string("object"),
      "properties": .object(
        id + [Member("comment", .members(["type": .string("string")]))]
          + list.options.map { Member($0.key, option($0)) }
          + list.parameters.map { Member($0.id, parameter($0)) }),
      "required": ObjectSchema.strings(list.options.filter { $0.defaultValue == nil }.map(\.key)),
      "additionalProperties": .bool(false),
    ])
    return list.form == .ordered
      ? .members(["type": .string("array"), "items": element])
      : .members([
        "type": .string("object"), "propertyNames": ObjectSchema.reference("name"),
        "additionalProperties": element,
      ])
  }

  private static func parameter(_ spec: ParameterSpec) -> JSONOutput {
    let text = JSONOutput.members(["type": .string("string")])
    let schema: JSONOutput
    if spec.isToggle {
      schema = ObjectSchema.any([
        .members(["type": .string("boolean")]),
        .members(["enum": .array([.integer(0), .integer(1)])]),
        ObjectSchema.variable,
      ])
    } else if !spec.choices.isEmpty, spec.choicesAreExclusive {
      // Labels may be in upper or lower case; editors offer the enumeration.
      schema = ObjectSchema.any([
        .members(["enum": ObjectSchema.strings(spec.choices.map(\.label))]),
        .members(["enum": .array(spec.choices.map { .number($0.value) })]), text,
      ])
    } else {
      schema = ObjectSchema.any([ObjectSchema.number(spec.range, isInteger: spec.isInteger), text])
    }
    return ObjectSchema.described(schema, "\(spec.summary) (\(spec.described))")
  }

  private static func option(_ spec: OptionSpec) -> JSONOutput {
    let text = JSONOutput.members(["type": .string("string")])
    let schema: JSONOutput
    switch spec.kind {
    case .choice(let labels):
      schema = ObjectSchema.any([.members(["enum": ObjectSchema.strings(labels)]), text])
    case .number(_, let range): schema = ObjectSchema.any([ObjectSchema.number(range), text])
    case .integer(let range): schema = ObjectSchema.shape(.integer(range))
    case .numbers(let range):
      schema = .members(["type": .string("array"), "items": ObjectSchema.shape(.integer(range))])
    case .flag: schema = ObjectSchema.shape(.boolean)
    case .text, .sound, .formula, .equalizerFile, .neuralModel: schema = text
    case .channels(let words):
      schema = ObjectSchema.any([.members(["enum": ObjectSchema.strings(words)]), text])
    case .texts: schema = .members(["type": .string("object"), "additionalProperties": text])
    }
    return ObjectSchema.described(schema, "\(spec.summary) (\(spec.describedRange))")
  }
}
