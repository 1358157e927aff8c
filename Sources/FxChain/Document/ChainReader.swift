import FxAudio
import FxEngine

/// Reads a chain file into a document, and reports all mistakes of its text in one pass.
struct ChainReader: ObjectReader {
  package var diagnostics = Diagnostics()
  var variables: [String: Variable] = [:]
  let defines: [String: String]
  /// The available kinds of sources and sinks.
  let endpoints: EndpointCatalog
  var chainVersion = ChainFormat.version
  /// Bytes added by variables so far.
  var filledByteCount = 0

  struct Variable {
    /// nil if the chain requires a value and none is given.
    var value: String?
  }

  private init(defines: [String: String], _ endpoints: EndpointCatalog) {
    self.defines = defines
    self.endpoints = endpoints
  }

  /// Reads the text of a chain file.
  ///
  /// - Parameters:
  ///   - path: The file's name in messages; files that the chain names are relative to its folder.
  ///   - defines: Values of variables that replace the chain's own.
  ///   - endpoints: The kinds of sources and sinks that the chain may use.
  ///   - code: The code that made the text.
  /// - Returns: The document; nil if the text is not a chain at all. It is complete only if the
  ///   diagnostics contain no error.
  package static func read(
    bytes: [UInt8], path: String, defines: [String: String] = [:], endpoints: EndpointCatalog,
    code: CodeOrigin? = nil
  ) -> (document: ChainDocument?, diagnostics: Diagnostics) {
    var reader = ChainReader(defines: defines, endpoints)
    for mistake in code?.mistakes ?? [] { reader.diagnostics.add(mistake) }
    guard
      let json = JSONDocument.read(
        SourceText(path: path, bytes: bytes, code: code), into: &reader.diagnostics)
    else { return (nil, reader.diagnostics) }
    let document = reader.document(json.root, path: path)
    return (document, reader.diagnostics.sorted())
  }

  private mutating func document(_ root: JSONValue, path: String) -> ChainDocument? {
    let spec = ChainFormat.chain
    guard root.kind == .object else {
      report(.wrongType, "a chain is an object, not \(root.kindName)", root.place)
      return nil
    }
    guard isReadableVersion(root, ChainFormat.version, of: "chain") else { return nil }
    readVariables(root)
    guard let fields = fields(root, spec) else { return nil }
    let content = key("chain", in: root) ?? key("nodes", in: root)
    var document = ChainDocument(path: path, place: content?.place ?? opening(root))
    document.name = text(fields["name"])
    document.settings = settings(fields, spec)
    switch (fields["chain"], fields["nodes"]) {
    case (let list?, nil):
      document.form = .list
      let elements = list.elements
      document.nodes = elements.compactMap { node($0, id: nil) }
      document.isWhole = document.nodes.count == elements.count
      if let connections = key("connections", in: root) {
        report(
          .conflictingKeys, "a list is connected in its order; it has no 'connections'",
          connections.place, hints: ["name the nodes under \"nodes\" to connect them otherwise"])
      }
    case (nil, let nodes?):
      document.form = .graph
      for (key, value) in nodes.members {
        if let node = node(value, id: key) {
          document.nodes.append(node)
        } else {
          document.isWhole = false
        }
      }
      let before = diagnostics.errorCount
      let read = connections(fields["connections"])
      (document.connections, document.modulations) = (read.signals, read.modulations)
      add(read.gains, to: &document)
      if diagnostics.errorCount > before
        || (fields["connections"] == nil && self.key("connections", in: root) != nil)
      {
        document.isWhole = false
      }
    case (.some, .some):
      document.isWhole = false
      if let key = key("nodes", in: root) {
        report(
          .conflictingKeys, "a chain has either 'chain' or 'nodes', not both", key.place)
      }
    case (nil, nil):
      document.isWhole = false
      if key("chain", in: root) == nil, key("nodes", in: root) == nil {
        report(
          .missingKey, "a chain needs 'chain' (a list) or 'nodes' and 'connections' (a graph)",
          document.place)
      }
    }
    document.exposed = exposed(fields["expose"])
    document.automation = fields["automation"]?.elements.compactMap { automation($0) } ?? []
    document.modulations += modulations(fields["modulation"])
    document.scenes = scenes(fields["scenes"])
    document.scene = located(fields["scene"])
    document.control = controlInput(fields["midi"])
    return document
  }

  /// In whole hertz, as in files and devices.
  private mutating func sampleRate(_ fields: Fields, _ spec: ObjectSpec) -> Double? {
    guard let rate = number(fields, "sampleRate", of: spec) else { return nil }
    guard rate != rate.rounded() else { return rate }
    if let value = fields["sampleRate"] {
      report(
        .notAnInteger, "'sampleRate' is a whole number of hertz, not \(shortNumber(rate))",
        value.place)
    }
    return nil
  }

  private mutating func settings(_ fields: Fields, _ spec: ObjectSpec) -> ChainSettings {
    // All other values are read by it.
    chainVersion = integer(fields, "version", of: spec) ?? chainVersion
    var settings = ChainSettings()
    settings.version = chainVersion
    settings.sampleRate = sampleRate(fields, spec)
    settings.resampling = text(fields["resampling"]).flatMap(RateConversion.Quality.init)
    settings.channels = integer(fields, "channels", of: spec)
    settings.blockSize = integer(fields, "blockSize", of: spec)
    settings.tail = raw(fields["tail"])
    readTempo(fields, spec, into: &settings)
    settings.seed = integer(fields, "seed", of: spec).map { UInt64($0) } ?? 0
    return settings
  }

  // MARK: Variables

  private mutating func readVariables(_ root: JSONValue) {
    let declared = root.members.first { $0.key.string == "variables" }?.value.members ?? []
    for (key, value) in declared {
      guard let name = key.string else { continue }
      if !Names.isID(name) { reportName(name, "a variable", key.place) }
      var variable = Variable()
      if let number = value.number {
        variable.value = shortNumber(number)
      } else if let text = value.string {
        variable.value = text
      } else if let bool = value.bool {
        variable.value = bool ? "true" : "false"
      } else if value.kind == .object {
        _ = fields(value, ChainFormat.variable)
        if defines[name] == nil {
          report(
            .unknownVariable, "the variable '\(name)' must be given", key.place,
            hints: ["--define \(name)=…"])
        }
      } else {
        report(
          .wrongType, "a variable is a number, a string, true or false, not \(value.kindName)",
          value.place)
      }
      if let define = defines[name] { variable.value = define }
      variables[name] = variable
    }
    for name in defines.keys.sorted() where variables[name] == nil {
      diagnostics.add(
        Diagnostic(
          .unknownVariable, "the chain declares no variable '\(name)'",
          hints: Suggestion.hint(for: name, in: variables.keys.sorted()),
          origin: "--define \(name)"))
    }
  }

  /// A string with its variables filled in; nil if one of them has no value.
  package mutating func text(_ value: JSONValue?) -> String? {
    guard let value, let text = value.string else { return nil }
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    return substituted(text, at: value.place)
  }
}
