import FxDiagnostics
import FxGraph

/// Sources and sinks of a chain file.
extension ChainReader {
  mutating func source(_ value: JSONValue) -> SourceDocument? {
    if let text = text(value) {
      let endpoint: SourceEndpoint
      switch text {
      case "stdin", "-": endpoint = .standardInput
      case "null": endpoint = .null(channels: 2)
      case "alsa": endpoint = .alsa(device: "default", channels: nil)
      case _ where isFile(text): endpoint = .file(text)
      default:
        guard isName(text, "an input", value) else { return nil }
        endpoint = .input(text == "input" ? "main" : text)
      }
      return SourceDocument(endpoint: endpoint, place: value.place)
    }
    let spec = ChainFormat.source
    guard let fields = fields(value, spec),
      let (kind, kindValue) = endpointKind(fields, ChainFormat.sourceKinds, spec)
    else { return nil }
    let channels = integer(fields, "channels", of: spec)
    if let value = fields["channels"], kind != "null", kind != "alsa" {
      report(
        .conflictingKeys, "'channels' goes with 'alsa' and 'null'; this source has its own",
        value.place)
    }
    let endpoint: SourceEndpoint
    switch kind {
    case "input":
      guard let name = text(kindValue), isName(name, "an input", kindValue) else { return nil }
      endpoint = .input(name)
    case "file":
      guard let path = filePath(kindValue) else { return nil }
      endpoint = .file(path)
    case "stdin": endpoint = .standardInput
    case "alsa": endpoint = .alsa(device: text(kindValue) ?? "default", channels: channels)
    default: endpoint = .null(channels: channels ?? 2)
    }
    return SourceDocument(endpoint: endpoint, place: kindValue.place)
  }

  mutating func sink(_ value: JSONValue) -> SinkDocument? {
    if let text = text(value) {
      let endpoint: SinkEndpoint
      switch text {
      case "stdout", "-": endpoint = .standardOutput(FileEncoding())
      case "null": endpoint = .null
      case "alsa": endpoint = .alsa(device: "default")
      case _ where isFile(text): endpoint = .file(text, FileEncoding())
      default:
        guard isName(text, "an output", value) else { return nil }
        endpoint = .output(text == "output" ? "main" : text)
      }
      return SinkDocument(endpoint: endpoint, place: value.place)
    }
    let spec = ChainFormat.sink
    guard let fields = fields(value, spec),
      let (kind, kindValue) = endpointKind(fields, ChainFormat.sinkKinds, spec)
    else { return nil }
    let encoding = encoding(fields, kind)
    let endpoint: SinkEndpoint
    switch kind {
    case "output":
      guard let name = text(kindValue), isName(name, "an output", kindValue) else { return nil }
      endpoint = .output(name)
    case "file":
      guard let path = filePath(kindValue) else { return nil }
      endpoint = .file(path, encoding)
    case "stdout": endpoint = .standardOutput(encoding)
    case "alsa": endpoint = .alsa(device: text(kindValue) ?? "default")
    default: endpoint = .null
    }
    return SinkDocument(
      endpoint: endpoint, isAligned: flag(fields, "align")?.value ?? true,
      channels: integer(fields, "channels", of: spec), place: kindValue.place)
  }

  mutating func encoding(_ fields: Fields, _ kind: String) -> FileEncoding {
    var encoding = FileEncoding()
    for key in ["bits", "dither"] where kind != "file" && kind != "stdout" {
      guard let value = fields[key] else { continue }
      report(
        .conflictingKeys, "'\(key)' goes with 'file' and 'stdout', not with '\(kind)'", value.place)
    }
    if let value = fields["bits"], let bits = integer(fields, "bits", of: ChainFormat.sink) {
      encoding.depth = FileEncoding.Depth(rawValue: bits)
      if encoding.depth == nil {
        report(
          .notAChoice, "'bits' cannot be \(bits)", value.place,
          hints: ["one of: 16, 24, 32 (float)"])
      }
    }
    encoding.isDithered = flag(fields, "dither")?.value ?? true
    if let dither = fields["dither"], dither.bool == true, encoding.depth != .int16,
      fields["bits"] != nil
    {
      report(
        .conflictingKeys,
        "'dither' goes with 16 bits, not with \(encoding.depth.map { String($0.rawValue) } ?? "others")",
        dither.place, hints: ["leave it out, or write \"bits\": 16"])
    }
    return encoding
  }

  /// The one key that says what kind of source or sink it is.
  private mutating func endpointKind(_ fields: Fields, _ kinds: [String], _ spec: ObjectSpec)
    -> (kind: String, value: JSONValue)?
  {
    let found = fields.object.members.filter { kinds.contains($0.key.string ?? "") }
    guard let first = found.first else {
      report(
        .missingKey,
        "\(spec.name) needs one of \(kinds.map { "'\($0)'" }.joined(separator: ", "))",
        fields.object.place)
      return nil
    }
    if found.count > 1 {
      let names = found.compactMap(\.key.string).map { "'\($0)'" }.joined(separator: " and ")
      report(
        .conflictingKeys, "\(spec.name) is one kind; \(names) exclude each other",
        found[1].key.place)
      return nil
    }
    guard let kind = first.key.string, let value = fields[kind] else { return nil }
    if value.bool == false {
      report(.wrongType, "'\(kind)' is true or left out", value.place)
      return nil
    }
    if case .on? = spec.key(kind)?.shape, value.bool == nil {
      report(.wrongType, "'\(kind)' is true, not \(value.kindName)", value.place)
      return nil
    }
    return (kind, value)
  }

  private func isFile(_ text: String) -> Bool { text.contains(".") || text.contains("/") }

  mutating func filePath(_ value: JSONValue, key: String = "file") -> String? {
    guard let path = text(value), !path.isEmpty, !path.utf8.contains(0) else {
      report(.invalidValue, "'\(key)' names no file", value.place)
      return nil
    }
    return path
  }

  private mutating func isName(_ name: String, _ what: String, _ value: JSONValue) -> Bool {
    if Names.isID(name) { return true }
    reportName(name, what, value.place)
    return false
  }
}
