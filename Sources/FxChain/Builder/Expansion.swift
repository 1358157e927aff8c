import FxAudio
import FxEngine

/// Nodes of a document and of its included chains, as drafts.
extension GraphBuilder {
  func expand(_ scope: Scope) {
    scope.number = scopes.count
    scopes.append(scope)
    let nodes = scope.document.nodes
    let ids = ids(of: scope)
    let isList = scope.document.form == .list
    if isList, !isSource(nodes.first), !isGenerator(nodes.first) {
      let id = freeID("input", scope, ids)
      addSource(.input("main"), id, nil, scope.document.place, scope)
    }
    for (index, node) in nodes.enumerated() {
      let id = ids[index]
      guard drafts.count < environment.nodeLimit else {
        if !isOverLimit {
          report(
            .tooLarge, "the chain unfolds to more than \(environment.nodeLimit) nodes", node.place)
        }
        isOverLimit = true
        return
      }
      if isList, index > 0, isSource(node) {
        report(
          .misplacedNode, "a source stands at the beginning of a list", node.place,
          hints: ["name the nodes under \"nodes\" to have several sources"])
        continue
      }
      if isList, index < nodes.count - 1, isSink(node) {
        report(
          .misplacedNode, "a sink stands at the end of a list", node.place,
          hints: ["name the nodes under \"nodes\" to have several sinks"])
        continue
      }
      add(node, id, scope)
    }
    if isList, !isSink(nodes.last) {
      let id = freeID("output", scope, ids)
      addSink(
        .output("main"), isAligned: true, channels: nil, id, nil, scope.document.place, scope)
    }
  }

  private func isSource(_ node: NodeDocument?) -> Bool {
    if case .source? = node?.kind { true } else { false }
  }

  /// True for an instrument: it starts the list, without an input before it.
  private func isGenerator(_ node: NodeDocument?) -> Bool {
    guard let node else { return false }
    let type: UnitType?
    switch node.kind {
    case .lv2(let uri): type = (try? catalog.plugin(uri: uri)) ?? nil
    case .unit(let name, let revision): type = catalog.unit(named: name, revision: revision)
    case .use, .source, .sink: return false
    }
    // A missing unit or plugin with a `midi` key is taken for an instrument.
    guard let spec = type?.spec else { return node.midi != nil }
    guard spec.list?.form != .namedInputs else { return false }
    return spec.role == .instrument || spec.inputs.allSatisfy(\.isControl) && !spec.isModulator
  }

  private func isSink(_ node: NodeDocument?) -> Bool {
    if case .sink? = node?.kind { true } else { false }
  }

  // MARK: Ids

  /// Every node's id: its own, or its unit's name, with a number from the second one on.
  private func ids(of scope: Scope) -> [String] {
    let nodes = scope.document.nodes
    let own = Set(nodes.compactMap(\.id))
    var count: [String: Int] = [:]
    for node in nodes where node.id == nil { count[defaultID(node), default: 0] += 1 }
    var used = own
    var next: [String: Int] = [:]
    return nodes.map { node in
      if let id = node.id { return id }
      let base = defaultID(node)
      var id = base
      var number = next[base] ?? 1
      while used.contains(id) {
        number += 1
        id = "\(base)\(number)"
      }
      next[base] = number
      used.insert(id)
      if count[base, default: 0] > 1 { scope.ambiguous.insert(id) }
      return id
    }
  }

  private func freeID(_ base: String, _ scope: Scope, _ ids: [String]) -> String {
    guard ids.contains(base) else { return base }
    let used = Set(ids)
    var number = 2
    while used.contains("\(base)\(number)") { number += 1 }
    return "\(base)\(number)"
  }

  private func defaultID(_ node: NodeDocument) -> String {
    switch node.kind {
    case .unit(let name, _): Names.id(from: name, otherwise: "unit")
    case .lv2(let uri): Names.id(ofPlugin: uri)
    case .use(let path, _): Names.id(ofFile: path, otherwise: "chain")
    case .source: "input"
    case .sink: "output"
    }
  }

  // MARK: Drafts

  private func add(_ node: NodeDocument, _ id: String, _ scope: Scope) {
    switch node.kind {
    case .unit, .lv2:
      addUnit(units.find(node, in: catalog, &diagnostics), node, id, scope)
    case .source(let source):
      var endpoint = source.endpoint
      if let path = endpoint.path {
        endpoint.target = ChainFile.path(path, relativeTo: scope.document.path)
      }
      placeRegions(of: &endpoint, source.regionPlaces, scope)
      addSource(endpoint, id, node, node.place, scope)
    case .sink(let sink):
      addSink(
        sink.endpoint, isAligned: sink.isAligned, channels: sink.channels, id, node, node.place,
        scope)
    case .use(let path, let variables):
      guard let inner = used(path, variables, node, id, scope) else {
        addBroken(id, node, scope)
        return
      }
      if register(.chain(inner), id, node.place, scope) { expand(inner) }
    }
  }

  /// Registers a node's name; false if the name is already used.
  private func register(
    _ target: Scope.Target, _ id: String, _ place: Place, _ scope: Scope
  ) -> Bool {
    guard scope.names[id] == nil else {
      // In a graph, the repeated key was reported already.
      if scope.document.form == .list {
        report(.duplicateName, "two nodes are called '\(id)'", place)
      }
      return false
    }
    scope.names[id] = target
    scope.order.append(id)
    return true
  }

  private func addDraft(_ draft: NodeBuilder, _ id: String) {
    guard register(.draft(drafts.count), id, draft.place, draft.scope) else { return }
    drafts.append(draft)
  }

  /// A node that was reported as wrong. Its name is registered, so that its connections are not
  /// reported too.
  private func addBroken(_ id: String, _ node: NodeDocument, _ scope: Scope) {
    addDraft(
      NodeBuilder(
        id: scope.prefix + id, content: .broken, document: node, place: node.place, scope: scope,
        inputs: [], outputs: []), id)
  }

  /// Resolves the paths of the regions' files, and converts times to seconds.
  private func placeRegions(
    of endpoint: inout SourceEndpoint, _ places: [RegionPlaces], _ scope: Scope
  ) {
    for index in endpoint.regions.indices {
      if endpoint.nature == .schedule {
        endpoint.regions[index].file = ChainFile.path(
          endpoint.regions[index].file, relativeTo: scope.document.path)
      } else {
        endpoint.regions[index].file = endpoint.target
      }
      if let tempo = document.settings.tempo {
        endpoint.regions[index] = endpoint.regions[index].timed(tempo)
        if endpoint.regions[index].hasBeats {
          report(
            .changingBeat, "the note that is a beat changes during the chain", places[index].whole,
            hints: ["write times in beats, such as \"2 beats\""])
        }
      } else if endpoint.regions[index].hasBeats {
        report(
          .needsTempo, "times in beats need a tempo", places[index].whole,
          hints: ["give the chain a \"tempo\", such as \"120 bpm\", or write times"])
      }
    }
  }

  private func addSource(
    _ endpoint: SourceEndpoint, _ id: String, _ node: NodeDocument?, _ place: Place, _ scope: Scope
  ) {
    var content = NodeBuilder.Content.source(endpoint)
    if scope.parent != nil, let name = endpoint.inputName {
      content = .inlet(name)
      if scope.inlets[name] == nil {
        scope.inlets[name] = drafts.count
      } else {
        report(.duplicateSource, "two sources are the input '\(name)'", place)
      }
    } else if endpoint.inputName == "main" {
      content = .source(environment.mainInput.apply(to: endpoint))
    }
    addDraft(
      NodeBuilder(
        id: scope.prefix + id, content: content, document: node, place: place, scope: scope,
        inputs: [], outputs: [.main]), id)
  }

  private func addSink(
    _ endpoint: SinkEndpoint, isAligned: Bool, channels: Int?, _ id: String, _ node: NodeDocument?,
    _ place: Place, _ scope: Scope
  ) {
    var content = NodeBuilder.Content.sink(endpoint, isAligned: isAligned)
    var width = channels
    if let name = endpoint.outputName {
      if scope.parent != nil {
        content = .outlet(name)
        if scope.outlets[name] == nil {
          scope.outlets[name] = drafts.count
        } else {
          report(.duplicateSink, "two sinks are the output '\(name)'", place)
        }
      } else {
        width = channels ?? document.settings.channels
      }
    }
    addDraft(
      NodeBuilder(
        id: scope.prefix + id, content: content, document: node, place: place, scope: scope,
        inputs: [InputBusSpec("in", width: width.map { .exactly($0) } ?? .any)], outputs: []), id)
  }

  private func addUnit(
    _ facts: UnitFacts?, _ node: NodeDocument, _ id: String, _ scope: Scope
  ) {
    guard let facts else {
      addBroken(id, node, scope)
      return
    }
    let draft = NodeBuilder(
      id: scope.prefix + id, content: .unit(facts), document: node, place: node.place, scope: scope,
      inputs: facts.spec.inputs, outputs: facts.spec.outputs)
    addDraft(draft, id)
    readList(draft, facts)
  }
}
