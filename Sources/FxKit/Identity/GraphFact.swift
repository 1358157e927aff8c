import FxAudio
import FxChain
package import FxEngine

/// One fact about a built chain: a node with its values, a connection, or the chain's settings.
package struct GraphFact: Sendable, Equatable {
  package struct Value: Sendable, Equatable {
    package var key: String
    package var value: String

    package init(_ key: String, _ value: String) {
      self.key = key
      self.value = value
    }
  }

  /// A node's id, `in -> comp`, `chain`.
  package var name: String
  package var values: [Value]

  package init(_ name: String, _ values: [Value]) {
    self.name = name
    self.values = values
  }

  package func value(_ key: String) -> String? { values.first { $0.key == key }?.value }
}

extension GraphFact {
  /// All facts of a chain: its settings, then its nodes and its connections in order.
  package static func facts(of compiled: CompiledChain) -> [GraphFact] {
    let graph = compiled.built.graph
    var facts = [chain(compiled)]
    facts += graph.nodes.map { GraphFact($0.id, values(of: $0)) }
    return facts + connections(of: graph)
  }

  /// The facts of the connections, in order.
  package static func connections(of graph: Graph) -> [GraphFact] {
    var facts: [GraphFact] = []
    var seen: [String: Int] = [:]
    for connection in graph.connections {
      var fact = fact(of: connection, in: graph)
      let count = (seen[fact.name] ?? 0) + 1
      seen[fact.name] = count
      // A second connection between the same ports gets a number.
      if count > 1 { fact.name += " (\(count))" }
      facts.append(fact)
    }
    return facts
  }

  private static func chain(_ compiled: CompiledChain) -> GraphFact {
    let built = compiled.built
    let tail =
      switch built.tail {
      case .auto: "auto"
      case .none: "none"
      case .seconds(let seconds): "\(shortNumber(seconds)) s"
      }
    var values = [Value("tail", tail)]
    if let tempo = built.tempoMap { values += facts(of: tempo) }
    return GraphFact("chain", values)
  }

  private static func facts(of tempo: TempoMap) -> [Value] {
    let first = tempo.spans[0]
    let rest = tempo.spans.dropFirst()
    func words(_ span: TempoSpan) -> String {
      "\(shortNumber(span.tempo))" + (span.slope == 0 ? "" : " + \(shortNumber(span.slope))/s")
    }
    var values = [Value("tempo", words(first))]
    if first.metre != .common { values.append(Value("metre", first.metre.text)) }
    if !rest.isEmpty {
      let points = rest.map { "\(shortNumber($0.start)) s \(words($0)) \($0.metre.text)" }
      values.append(Value("tempo map", points.joined(separator: ", ")))
    }
    return values
  }

  private static func values(of node: Graph.Node) -> [Value] {
    switch node.content {
    case .source(let endpoint): return [Value("source", endpoint.words)] + options(endpoint)
    case .sink(let endpoint, let isAligned):
      let normalized = endpoint.encoding.normalizedPeak.map { Value("normalize", shortNumber($0)) }
      return [Value("sink", endpoint.words)] + (isAligned ? [] : [Value("aligned", "false")])
        + (normalized.map { [$0] } ?? [])
        + endpoint.encoding.shape.values.map { Value($0.key, shortNumber($0.seconds)) }
    case .unit(let unit): return values(of: unit)
    }
  }

  /// The chain's options for a source, such as a signal's level or a file's layout.
  private static func options(_ endpoint: SourceEndpoint) -> [Value] {
    // Silence has no options that matter.
    guard endpoint.nature != .generated || !endpoint.target.isEmpty else { return [] }
    return endpoint.options.keys.sorted().map { Value($0, words(endpoint.options[$0])) }
      + endpoint.regions.enumerated().map { Value("region \($0 + 1)", $1.words) }
  }

  private static func values(of unit: UnitConfiguration) -> [Value] {
    var values: [Value] = []
    switch unit.kind {
    case .builtIn(let name, _): values.append(Value("unit", name))
    case .lv2(let uri): values.append(Value("lv2", uri))
    }
    for key in unit.options.keys.sorted() {
      values.append(Value(key, unit.options[key].map(words) ?? ""))
    }
    for (index, item) in unit.items.enumerated() {
      for key in item.options.keys.sorted() {
        values.append(Value("\(item.id ?? String(index + 1)).\(key)", words(item.options[key])))
      }
    }
    for (slot, value) in zip(unit.parameters, unit.values) {
      values.append(Value(slot.path, shortNumber(value)))
    }
    for line in unit.automation where unit.parameters.indices.contains(line.slot) {
      let points = line.points.map {
        "\(shortNumber($0.seconds)) s \(shortNumber($0.value)) \($0.curve.rawValue)"
      }
      values.append(
        Value("automation of \(unit.parameters[line.slot].path)", points.joined(separator: ", ")))
    }
    for modulation in unit.modulations where unit.parameters.indices.contains(modulation.depthSlot)
    {
      values.append(
        Value("modulation \(unit.parameters[modulation.depthSlot].path)", words(modulation)))
    }
    if unit.mixesByPower { values.append(Value("wetLaw", "power")) }
    if let latency = unit.latencyOverride { values.append(Value("latency", String(latency))) }
    if !unit.events.isEmpty {
      let events = unit.events.map { "\($0.seconds) \($0.bytes)" }.joined(separator: "\n")
      values.append(
        Value("midi", "\(unit.events.count) messages, \(SHA256.digest(of: events).prefix(12))"))
    }
    for name in unit.setup.setParameters.sorted() {
      values.append(Value("\(name) follows the tempo", "false"))
    }
    if unit.setup.isIsolated { values.append(Value("isolated", "true")) }
    for property in unit.setup.properties {
      values.append(Value(property.uri, words(property.value)))
    }
    return values
  }

  private static func fact(of connection: Connection, in graph: Graph) -> GraphFact {
    func name(_ end: Connection.Endpoint, isInput: Bool) -> String {
      guard graph.nodes.indices.contains(end.node) else { return "?" }
      let node = graph.nodes[end.node]
      var buses = isInput ? node.inputs.map(\.name) : node.outputs.map(\.name)
      if connection.carriesEvents {
        buses = isInput ? node.eventInputs.map(\.name) : node.eventOutputs.map(\.name)
        return node.id + (buses.indices.contains(end.bus) ? ":\(buses[end.bus])" : "")
      }
      let bus = end.bus > 0 && buses.indices.contains(end.bus) ? ".\(buses[end.bus])" : ""
      return node.id + bus + (end.channel.map { "[\($0 + 1)]" } ?? "")
    }
    if connection.carriesEvents {
      let delay = connection.feedbackDelay.map { [Value("delay", "\(shortNumber($0)) s")] }
      return GraphFact(
        "\(name(connection.from, isInput: false)) -> \(name(connection.to, isInput: true))",
        delay ?? [])
    }
    var values = [Value("gain", shortNumber(Double(connection.gain)))]
    if let channels = connection.channels {
      values.append(
        Value("channels", channels.map { String($0 + 1) }.joined(separator: ", ")))
    }
    if let delay = connection.feedbackDelay {
      values.append(Value("delay", "\(shortNumber(delay)) s"))
    }
    return GraphFact(
      "\(name(connection.from, isInput: false)) -> \(name(connection.to, isInput: true))", values)
  }

  // MARK: Words

  private static func words(_ value: OptionValue?) -> String {
    switch value {
    case .text(let text): text
    case .number(let number): shortNumber(number)
    case .flag(let flag): String(flag)
    case .sound(let path), .model(let path): file(path)
    case .texts(let texts):
      texts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    case nil: ""
    }
  }

  /// Identifies a file by its contents, because its path differs between machines.
  private static func file(_ path: String) -> String {
    "file \(SHA256.digest(ofFile: path)?.prefix(12) ?? "unreadable")"
  }

  private static func words(_ modulation: Modulation) -> String {
    let range = modulation.range
    return "\(modulation.scale), \(modulation.curve.rawValue), "
      + (modulation.isBipolar ? "bipolar" : "unipolar")
      + ", \(shortNumber(range.lowerBound))…\(shortNumber(range.upperBound))"
  }

  private static func words(_ value: PluginSetup.Value) -> String {
    switch value {
    case .text(let text): text
    case .number(let number): shortNumber(number)
    case .flag(let flag): String(flag)
    case .file(let path): file(path)
    }
  }
}
