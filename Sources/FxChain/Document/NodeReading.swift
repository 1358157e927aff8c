import FxAudio
import FxEngine

/// Nodes of a chain file.
extension ChainReader {
  /// Reads one node; `id` is its key in a graph.
  mutating func node(_ value: JSONValue, id key: JSONValue?) -> NodeDocument? {
    guard value.kind == .object else {
      report(
        .wrongType, "a node is an object, not \(value.kindName)", value.place,
        hints: value.kind == .string
          ? ["write { \"unit\": \(ForeignText.shortened(value.spelling)) }"] : [])
      return nil
    }
    let kinds = value.members.filter { ChainFormat.kinds.contains($0.key.string ?? "") }
    guard let kind = kinds.first?.key.string, kinds.count == 1 else {
      reportKinds(value, kinds.map(\.key), key)
      return nil
    }
    let spec =
      switch kind {
      case "unit": ChainFormat.unitNode
      case "lv2": ChainFormat.lv2Node
      case "use": ChainFormat.useNode
      case "source": ChainFormat.sourceNode
      default: ChainFormat.sinkNode
      }
    guard let fields = fields(value, spec), let content = self.kind(kind, fields) else {
      return nil
    }
    var node = NodeDocument(
      id: key?.string, kind: content, place: key?.place ?? fields[kind]?.place ?? value.place,
      kindPlace: fields[kind]?.place ?? value.place)
    readID(&node, key, fields)
    node.parameters = values(fields["parameters"])
    node.bypass = flag(fields, "bypass")
    node.wet = raw(fields["wet"])
    node.wetLaw = word(fields, "wetLaw", of: spec)
    node.latency = raw(fields["latency"])
    node.preset = located(fields["preset"])
    node.state = located(fields["state"])
    if let state = node.state, node.preset != nil {
      report(.conflictingKeys, "'preset' and 'state' exclude each other", state.place)
      node.state = nil
    }
    node.properties = values(fields["properties"])
    node.midi = midi(fields["midi"])
    node.tap = tap(fields["tap"])
    node.scene = located(fields["scene"])
    node.isolated = flag(fields, "isolated")
    if let isolated = node.isolated, isolated.value, kind == "unit" {
      report(
        .invalidValue, "only an LV2 plugin runs in a process of its own", isolated.place,
        hints: ["leave 'isolated' out; a built-in unit does not crash"])
    }
    node.extras = fields.others.map { extra($0) }
    return node
  }

  private mutating func reportKinds(_ value: JSONValue, _ found: [JSONValue], _ key: JSONValue?) {
    // A repeated key is reported where the file is read.
    if found.count > 1, Set(found.compactMap(\.string)).count == 1 { return }
    if found.count > 1 {
      let names = found.compactMap(\.string).map { "'\($0)'" }.joined(separator: " and ")
      report(.conflictingKeys, "a node is one kind; \(names) exclude each other", found[1].place)
      return
    }
    for (key, _) in value.members {
      let name = key.string ?? ""
      if let kind = Suggestion.nearest(to: name, in: ChainFormat.kinds) {
        report(
          .unknownKey, "a node has no key '\(name)'", key.place, hints: ["did you mean '\(kind)'?"])
        return
      }
    }
    report(
      .missingKey,
      "a node needs one of \(ChainFormat.kinds.map { "'\($0)'" }.joined(separator: ", "))",
      key?.place ?? value.place)
  }

  private mutating func readID(_ node: inout NodeDocument, _ key: JSONValue?, _ fields: Fields) {
    if let key {
      if let name = key.string, !Names.isID(name) { reportName(name, "a node", key.place) }
      if let id = fields["id"] {
        report(.conflictingKeys, "in 'nodes' the key is the id", id.place)
      }
    } else if let value = fields["id"], let id = value.string {
      if !Names.isID(id) { reportName(id, "a node", value.place) }
      node.id = id
      node.place = value.place
    }
  }

  private mutating func kind(_ kind: String, _ fields: Fields) -> NodeDocument.Kind? {
    guard let value = fields[kind] else { return nil }
    switch kind {
    case "unit":
      guard let text = text(value) else { return nil }
      let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return .unit(name: text, revision: nil) }
      guard let revision = Int(parts[1]), revision > 0 else {
        report(
          .unknownRevision, "'\(parts[1])' is not a revision", value.place,
          hints: ["a revision is a number: \"\(parts[0])@1\""])
        return .unit(name: String(parts[0]), revision: nil)
      }
      return .unit(name: String(parts[0]), revision: revision)
    case "lv2":
      return text(value).map { .lv2(uri: $0) }
    case "use":
      guard let path = text(value) else { return nil }
      guard !path.isEmpty else {
        report(.invalidValue, "'use' names no file", value.place)
        return nil
      }
      var variables: [String: String] = [:]
      for entry in values(fields["variables"]) {
        switch entry.value.value {
        case .number(let number): variables[entry.name.value] = shortNumber(number)
        case .text(let text), .fractionOfBeat(let text): variables[entry.name.value] = text
        case .flag(let flag): variables[entry.name.value] = flag ? "true" : "false"
        }
      }
      return .use(path: path, variables: variables)
    case "source":
      return source(value).map { .source($0) }
    default:
      return sink(value).map { .sink($0) }
    }
  }

  /// An object of named values.
  mutating func values(_ object: JSONValue?) -> [NamedValue] {
    var values: [NamedValue] = []
    var seen: Set<String> = []
    for (key, value) in object?.members ?? [] {
      guard let name = key.string, seen.insert(name).inserted, let raw = raw(value) else {
        continue
      }
      values.append(NamedValue(name: Located(value: name, place: key.place), value: raw))
    }
    return values
  }

  // MARK: Options and lists

  private mutating func extra(_ entry: Fields.Entry) -> NodeExtra {
    let content: NodeExtra.Content
    switch entry.value.kind {
    case .array where entry.value.elements.allSatisfy({ $0.kind == .object }):
      content = .list(entry.value.elements.map { item($0, key: nil) }, isNamed: false)
    case .object:
      let members = entry.value.members
      if members.allSatisfy({ $0.value.kind == .object }) {
        content = .list(members.map { item($0.value, key: $0.key) }, isNamed: true)
      } else {
        content = .other(kind: "an object that holds more than objects")
      }
    case .array where entry.value.elements.allSatisfy({ $0.kind == .number }):
      content = .numbers(entry.value.elements.map(\.spelling).joined(separator: " "))
    case .array, .null:
      content = .other(kind: entry.value.kindName)
    default:
      content = raw(entry.value).map { .value($0.value) } ?? .unreadable
    }
    return NodeExtra(
      key: Located(value: entry.name, place: entry.key.place), content: content,
      place: entry.value.place)
  }

  private mutating func item(_ value: JSONValue, key: JSONValue?) -> ItemDocument {
    var item = ItemDocument(id: nil, values: [], place: (key ?? value).place)
    if let key, let name = key.string {
      if !Names.isID(name) { reportName(name, "an element of a list", key.place) }
      item.id = Located(value: name, place: key.place)
    }
    var seen: Set<String> = []
    for (entryKey, entryValue) in value.members {
      guard let name = entryKey.string, name != "comment", seen.insert(name).inserted else {
        continue
      }
      if name == "id", key == nil {
        guard let id = entryValue.string else {
          report(.wrongType, "'id' is a string, not \(entryValue.kindName)", entryValue.place)
          continue
        }
        if !Names.isID(id) { reportName(id, "an element of a list", entryValue.place) }
        item.id = Located(value: id, place: entryValue.place)
      } else if let raw = raw(entryValue) {
        item.values.append(
          NamedValue(name: Located(value: name, place: entryKey.place), value: raw))
      }
    }
    return item
  }
}
