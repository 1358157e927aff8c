import FxAudio
import FxEngine

/// Sources and sinks of a chain file, read by the declarations of their kinds.
extension ChainReader {
  mutating func source(_ value: JSONValue) -> SourceDocument? {
    guard
      let read = endpoint(
        value, endpoints.sources.map(\.spec), ChainFormat.source(endpoints), names: "an input")
    else { return nil }
    var endpoint = SourceEndpoint(
      kind: read.spec.key, nature: endpoints.sources[read.index].nature, target: read.target,
      options: read.options)
    var regions: [ReadRegion] = []
    if let fields = read.fields {
      if case .regions = read.spec.target {
        regions = fields[read.spec.key].map { self.regions($0) } ?? []
        if regions.isEmpty, read.options.flag("endless") != true,
          let list = fields[read.spec.key], list.elements.isEmpty
        {
          report(
            .invalidValue, "'\(read.spec.key)' has no region to play", list.place,
            hints: ["with \"endless\": true it waits for regions that are queued while it plays"])
        }
      } else if read.spec.isRegion, let piece = piece(of: read.target, fields) {
        regions = [piece]
      }
    }
    endpoint.regions = regions.map(\.region)
    return SourceDocument(
      endpoint: endpoint, regionPlaces: regions.map(\.places), place: read.place)
  }

  mutating func sink(_ value: JSONValue) -> SinkDocument? {
    let object = ChainFormat.sink(endpoints)
    guard
      let read = endpoint(value, endpoints.sinks.map(\.spec), object, names: "an output")
    else { return nil }
    let endpoint = SinkEndpoint(
      kind: read.spec.key, nature: endpoints.sinks[read.index].nature, target: read.target,
      options: read.options)
    guard let fields = read.fields else {
      return SinkDocument(endpoint: endpoint, place: read.place)
    }
    return SinkDocument(
      endpoint: endpoint, isAligned: flag(fields, "align")?.value ?? true,
      channels: integer(fields, "channels", of: object), place: read.place)
  }

  /// The content of a source or a sink.
  private struct Reading {
    var index: Int
    var spec: EndpointSpec
    var target: String
    var options: [String: OptionValue]
    /// nil if it is a text.
    var fields: Fields?
    var place: Place
  }

  private mutating func endpoint(
    _ value: JSONValue, _ kinds: [EndpointSpec], _ object: ObjectSpec, names what: String
  ) -> Reading? {
    if let text = text(value) {
      guard let (index, target) = kinds.kind(spelled: text) else {
        reportName(text, what, value.place)
        return nil
      }
      return Reading(
        index: index, spec: kinds[index], target: target, options: kinds[index].defaults,
        place: value.place)
    }
    guard let fields = fields(value, object),
      let (index, kindValue) = endpointKind(fields, kinds, object),
      let target = target(kindValue, of: kinds[index])
    else { return nil }
    let options = options(fields, of: kinds[index], among: kinds)
    return Reading(
      index: index, spec: kinds[index], target: target, options: options, fields: fields,
      place: kindValue.place)
  }

  /// The key that selects the kind of a source or a sink.
  private mutating func endpointKind(
    _ fields: Fields, _ kinds: [EndpointSpec], _ object: ObjectSpec
  ) -> (index: Int, value: JSONValue)? {
    let found = fields.object.members.compactMap { member -> (index: Int, key: JSONValue)? in
      guard let index = kinds.firstIndex(where: { $0.key == member.key.string }) else { return nil }
      return (index, member.key)
    }
    guard let first = found.first else {
      report(
        .missingKey,
        "\(object.name) needs one of \(kinds.map { "'\($0.key)'" }.joined(separator: ", "))",
        fields.object.place)
      return nil
    }
    if found.count > 1 {
      // A repeated key is reported where the file is read.
      guard found.contains(where: { $0.index != first.index }) else { return nil }
      let names = found.map { "'\(kinds[$0.index].key)'" }.joined(separator: " and ")
      report(
        .conflictingKeys, "\(object.name) is one kind; \(names) exclude each other",
        found[1].key.place)
      return nil
    }
    let key = kinds[first.index].key
    guard let value = fields[key] else { return nil }
    if value.bool == false {
      report(.wrongType, "'\(key)' is true or left out", value.place)
      return nil
    }
    if case .presence = kinds[first.index].target, value.bool == nil {
      report(.wrongType, "'\(key)' is true, not \(value.kindName)", value.place)
      return nil
    }
    return (first.index, value)
  }

  private mutating func target(_ value: JSONValue, of kind: EndpointSpec) -> String? {
    switch kind.target {
    case .presence, .regions: return ""
    case .path: return filePath(value, key: kind.key)
    case .address: return address(value, key: kind.key)
    case .text(let usual): return text(value) ?? usual
    case .name(let what):
      guard let name = text(value) else { return nil }
      if Names.isID(name) { return name }
      reportName(name, what, value.place)
      return nil
    case .choice(let labels):
      guard let word = text(value) else { return nil }
      if let label = labels.first(where: { $0.lowercased() == word.lowercased() }) { return label }
      report(
        .notAChoice, "'\(kind.key)' cannot be \(ForeignText.shortened(value.spelling))",
        value.place,
        hints: Suggestion.hint(for: word, in: labels)
          + ["one of: \(labels.joined(separator: ", "))"])
      return nil
    }
  }

  /// The options of a kind, with defaults; options of other kinds are rejected.
  private mutating func options(
    _ fields: Fields, of kind: EndpointSpec, among kinds: [EndpointSpec]
  ) -> [String: OptionValue] {
    for key in kinds.allKeys where !kind.allKeys.contains(key) {
      guard let value = fields[key] else { continue }
      let owners = kinds.filter { $0.allKeys.contains(key) }.map { "'\($0.key)'" }
      report(
        .conflictingKeys,
        "'\(key)' goes with \(owners.joined(separator: " and ")), not with '\(kind.key)'",
        value.place)
    }
    let given = options(fields, kind.options, kind.conflict)
    return kind.defaults.merging(given) { _, given in given }
  }

  /// The given options, each in its range.
  private mutating func options(
    _ fields: Fields, _ options: [OptionSpec],
    _ conflict: ([String: OptionValue]) -> OptionConflict?
  ) -> [String: OptionValue] {
    var given: [String: OptionValue] = [:]
    for option in options {
      if let value = fields[option.key], let read = self.option(option, value) {
        given[option.key] = read
      }
    }
    if let conflict = conflict(given), let value = fields[conflict.key] {
      report(
        conflict.concernsOthers ? .conflictingKeys : .notAChoice, conflict.message, value.place,
        hints: [conflict.hint])
    }
    return given
  }

  /// The encoding of a tap's file.
  mutating func encoding(_ fields: Fields) -> FileEncoding {
    FileEncoding(options(fields, FileEncoding.specs, FileEncoding.conflict))
  }

  private mutating func option(_ option: OptionSpec, _ value: JSONValue) -> OptionValue? {
    if case .texts = option.kind, value.kind == .object {
      var texts: [String: String] = [:]
      for (key, value) in value.members {
        if let key = key.string, let text = text(value) { texts[key] = text }
      }
      return .texts(texts)
    }
    guard let raw = raw(value) else { return nil }
    do throws(ValueProblem) {
      return try option.value(raw.value, context: ValueContext())
    } catch {
      diagnostics.add(error.diagnostic(at: value.place))
      return nil
    }
  }

  private mutating func address(_ value: JSONValue, key: String) -> String? {
    guard let address = text(value), EndpointSpec.isAddress(address), !address.utf8.contains(0)
    else {
      report(
        .invalidValue, "'\(key)' is an address that starts with http:// or https://", value.place)
      return nil
    }
    return address
  }

  mutating func filePath(_ value: JSONValue, key: String = "file") -> String? {
    guard let path = text(value), !path.isEmpty, !path.utf8.contains(0) else {
      report(.invalidValue, "'\(key)' names no file", value.place)
      return nil
    }
    guard !EndpointSpec.isAddress(path) else {
      report(
        .invalidValue, "'\(key)' names a file, not an address", value.place,
        hints: ["a source that is fetched is { \"url\": \"https://…\" }"])
      return nil
    }
    return path
  }
}

extension [EndpointSpec] {
  /// The meaning of a text: a shorthand, a web address, a file (it contains `.` or `/`), or a name.
  fileprivate func kind(spelled text: String) -> (index: Int, target: String)? {
    for (index, kind) in enumerated() {
      if let target = kind.shorthands[text] { return (index, target) }
    }
    if EndpointSpec.isAddress(text), let index = firstIndex(where: { $0.target == .address }) {
      return (index, text)
    }
    if text.contains(".") || text.contains("/") {
      return firstIndex { $0.target == .path }.map { ($0, text) }
    }
    guard Names.isID(text) else { return nil }
    return firstIndex { if case .name = $0.target { true } else { false } }.map { ($0, text) }
  }

  /// All keys except the kinds' own, each once, in the order of the kinds.
  var allKeys: [String] {
    var keys: [String] = []
    for key in flatMap(\.allKeys) where !keys.contains(key) { keys.append(key) }
    return keys
  }
}

extension EndpointSpec {
  /// The keys apart from its own: its options, and the keys of a region that it plays.
  var allKeys: [String] {
    options.map(\.key) + (isRegion ? ChainFormat.pieceKeys.map(\.key) : [])
  }
}

extension EndpointSpec {
  fileprivate var defaults: [String: OptionValue] {
    Dictionary(
      options.compactMap { option in option.defaultValue.map { (option.key, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}
