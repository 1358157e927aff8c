import FxAudio
import FxChain
import FxEngine

/// A changed chain, compiled to take over from the playing chain.
struct LoadedChain: Sendable {
  let chain: Chain
  let compiled: CompiledChain
  let change: GraphChange
  let files: ChainFiles

  /// Compiles a chain. Unchanged nodes keep the units of `live`.
  ///
  /// - Parameters:
  ///   - current: the last values set, by node and slot of `live`.
  ///   - keepsChanges: whether they continue where both chains give a parameter the same value.
  ///   - summaries: the latencies now, by node of `live`.
  ///   - files: the files of `live`.
  ///   - noted: receives every file before it is read.
  static func load(
    _ chain: Chain, from live: CompiledChain, current: [[Double]], keepsChanges: Bool,
    _ summaries: [RenderPlan.NodeSummary], _ settings: CompiledChain.Settings, _ files: ChainFiles,
    noting noted: ChainFiles
  ) throws(ChainFailure) -> LoadedChain {
    var settings = settings.reading(like: live)
    if !chain.units.names.isEmpty { settings.catalog = chain.catalog }
    settings.note(into: noted.texts)
    var outline = try chain.outline(settings)
    try outline.check(against: live)
    if keepsChanges { outline.keepChanges(of: live, current) }
    let change: GraphChange
    do throws(GraphChangeError) {
      change = try GraphChange(
        from: live.resolved.starting(with: current), to: outline.resolved,
        fresh: outline.nodes(changedSince: files.parts))
    } catch {
      throw ChainFailure(error, from: live, to: outline)
    }
    let compiled = try outline.completed(
      keeping: CompiledChain.KeptUnits(
        instances: live.instances, inboxes: live.inboxes, summaries: summaries,
        nodes: change.kept, memory: live.memory))
    compiled.note(into: noted.parts)
    return LoadedChain(chain: chain, compiled: compiled, change: change, files: noted)
  }

  /// True if only values differ, so that the playing program can continue.
  var isOfValuesAlone: Bool {
    !change.isStructural && change.kept.enumerated().allSatisfy { $0.offset == $0.element }
  }

  /// The changes in words.
  var summary: String {
    let units = compiled.resolved.graph.nodes.indices.filter {
      compiled.resolved.graph.nodes[$0].unit != nil
    }
    let fresh = units.filter { change.kept[$0] == nil }.count
    var parts: [String] = []
    if fresh > 0 { parts.append("\(fresh) new \(fresh == 1 ? "node" : "nodes")") }
    if !change.removed.isEmpty { parts.append("\(change.removed.count) gone") }
    if !change.values.isEmpty {
      parts.append("\(Text.count(change.values.count, "value")) (\(changedNames))")
    }
    if parts.isEmpty { return change.isStructural ? "other connections" : "nothing changed" }
    return parts.joined(separator: ", ")
  }
}

extension LoadedChain {
  /// The names of up to five changed parameters.
  private var changedNames: String {
    let names = change.values.compactMap { value -> String? in
      let node = compiled.resolved.graph.nodes[value.node]
      return (node.unit?.parameters[value.parameter].spec.id).map { "\(node.id).\($0)" }
    }
    let more = names.count - 5
    return names.prefix(5).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}

extension CompiledChain.Settings {
  /// Takes the facts of sources from the playing chain, without opening them again.
  func reading(like live: CompiledChain) -> Self {
    var settings = self
    var facts: [SourceEndpoint: SourceFacts] = [:]
    for source in live.plan.sources {
      guard let endpoint = live.endpoint(ofSource: source) else { continue }
      facts[endpoint] = SourceFacts(
        StreamFormat(
          sampleRate: live.sampleRate, layout: source.layout ?? .usual(source.buffers.count)),
        .finite)
    }
    // The closure stays with the chain; it must not hold the units of `live`.
    settings.environment.sourceFacts = { [facts, rate = live.sampleRate] endpoint in
      facts[endpoint] ?? SourceFacts(StreamFormat(sampleRate: rate, channelCount: 2), .finite)
    }
    return settings
  }
}

extension CompiledChain {
  /// Starts parameters with the values that they were given while `live` played, unless this chain gives
  /// them another value than the file of `live`.
  ///
  /// - Parameter current: the values now, by node and slot of `live`.
  fileprivate mutating func keepChanges(of live: CompiledChain, _ current: [[Double]]) {
    var changed: [String: (written: Double, now: Double)] = [:]
    for (node, content) in live.built.graph.nodes.enumerated() {
      guard let unit = content.unit, current.indices.contains(node) else { continue }
      for (slot, now) in current[node].enumerated() where now != unit.values[slot] {
        changed["\(content.id).\(unit.parameters[slot].path)"] = (unit.values[slot], now)
      }
    }
    let values = resolved.graph.nodes.map { node -> [Double] in
      guard let unit = node.unit else { return [] }
      return zip(unit.parameters, unit.values).map { parameter, value in
        guard let found = changed["\(node.id).\(parameter.path)"], found.written == value,
          parameter.spec.range.contains(found.now)
        else { return value }
        return found.now
      }
    }
    resolved = resolved.starting(with: values)
  }

  /// Refuses changes that need a new start.
  fileprivate func check(against live: CompiledChain) throws(ChainFailure) {
    if let rate = built.ownSampleRate, rate != live.sampleRate, rate != live.built.ownSampleRate {
      throw .needsStart(
        "the chain wants \(Int(clamping: rate)) Hz, and the device runs at "
          + "\(Int(clamping: live.sampleRate))")
    }
    if midiPorts != live.midiPorts {
      throw .needsStart("its MIDI inputs have changed")
    }
  }

  private var midiPorts: [String] {
    resolved.graph.nodes.compactMap { node in node.midiPort.map { "\(node.id) \($0.name)" } }
      .sorted()
  }

  /// Nodes whose files have changed since they were made.
  fileprivate func nodes(changedSince files: FileLedger) -> Set<Int> {
    Set(
      resolved.graph.nodes.indices.filter { node in
        resolved.graph.nodes[node].unit?.paths.contains(where: files.isChanged) == true
      })
  }

  /// Records the files that its nodes are made with.
  func note(into files: FileLedger) {
    for node in resolved.graph.nodes {
      for path in node.unit?.paths ?? [] { files.note(path) }
    }
  }
}

extension ChainFailure {
  fileprivate static func needsStart(_ why: String) -> ChainFailure {
    ChainFailure(.request, code: .needsStart, "\(why): end fxrun and start it again")
  }

  fileprivate init(
    _ error: GraphChangeError, from live: CompiledChain, to outline: CompiledChain
  ) {
    func name(_ node: Int, in chain: CompiledChain) -> String {
      let nodes = chain.resolved.graph.nodes
      return nodes.indices.contains(node) ? "'\(nodes[node].id)'" : "a node"
    }
    switch error {
    case .endpointAdded(let node):
      self = .needsStart("\(name(node, in: outline)) is a source or sink that is not open")
    case .endpointRemoved(let node):
      self = .needsStart("\(name(node, in: live)) is open, but the chain no longer uses it")
    case .endpointWidth(let node, let was, let now):
      self = .needsStart(
        "\(name(node, in: outline)) has \(now) channels now and is open with \(was)")
    case .graph(let error):
      if let diagnostic = outline.built.diagnostic(for: error) {
        var found = Diagnostics()
        found.add(diagnostic)
        self.init(found)
      } else {
        self.init(.internalError, code: .unsoundPlan, "the chain cannot be compared: \(error)")
      }
    }
  }
}

extension Int {
  init(clamping value: Double) {
    self = value.magnitude < 1e15 ? Int(value.rounded()) : 0
  }
}
