import FxAudio
import FxEngine

/// Builds the graph in steps: drafts and links, values, checks, then the graph itself.
final class GraphBuilder {
  static let connectionLimit = 1_000_000
  static let useLimit = 16

  let document: ChainDocument
  let catalog: any UnitCatalog
  let environment: ChainEnvironment
  let files: NamedFiles
  var diagnostics = Diagnostics()
  var drafts: [NodeBuilder] = []
  var links: [Link] = []
  var scopes: [Scope] = []
  var context = ValueContext()
  var facts: [String: UnitFacts?] = [:]
  var missing: [String: Diagnostic] = [:]
  var usedDocuments: [String: ChainDocument?] = [:]
  var formats: [Int: StreamFormat] = [:]
  var isOverLimit = false
  /// Nodes with a connection that was reported as wrong: that they lead nowhere is not reported
  /// again.
  var excused: Set<Int> = []
  var taps: [TapDraft] = []
  /// Node numbers are those of drafts.
  var controls: [MIDIControl] = []
  var startScene: Int?
  /// Scenes by full name.
  var sceneNumbers: [String: SceneNumber] = [:]
  /// By scope: the number of scenes before its own.
  var sceneOffsets: [Int] = []

  init(
    _ document: ChainDocument, _ catalog: any UnitCatalog, _ environment: ChainEnvironment,
    _ files: NamedFiles
  ) {
    self.document = document
    self.catalog = catalog
    self.environment = environment
    self.files = files
  }

  func report(
    _ code: DiagnosticCode, _ message: String, _ place: Place?, hints: [String] = [],
    origin: String? = nil
  ) {
    diagnostics.add(Diagnostic(code, message, at: place, hints: hints, origin: origin))
  }

  /// Reads all files named in the chain and its included chains, and the start states of plugins.
  /// Returns the sources and sinks, each once.
  func unfold() -> (sources: [SourceEndpoint], sinks: [SinkEndpoint], measures: Bool) {
    expand(root)
    var sources: [SourceEndpoint] = []
    var sinks: [SinkEndpoint] = []
    var seen = (sources: Set<SourceEndpoint>(), sinks: Set<SinkEndpoint>())
    for draft in drafts {
      switch draft.content {
      case .source(let endpoint):
        if seen.sources.insert(endpoint).inserted { sources.append(endpoint) }
      case .sink(let endpoint, _):
        if seen.sinks.insert(endpoint).inserted { sinks.append(endpoint) }
      default: break
      }
      if let path = draft.document.flatMap({ midiFile(of: $0, draft) }) {
        _ = try? files.read(path)
      }
      readState(draft)
    }
    return (sources, sinks, drafts.contains { $0.facts?.spec.measures != nil })
  }

  private lazy var root = Scope(
    document: document, prefix: "", files: [ChainFile.normalized(document.path)], node: nil,
    parent: nil)

  func build() -> BuiltChain? {
    expand(root)
    guard !isOverLimit else { return nil }
    addTaps(root)
    readSources()
    for scope in scopes { connect(scope) }
    connectTaps()
    addCopies(root)
    for draft in drafts { configure(draft) }
    for index in links.indices { configureLink(index) }
    // Inner chains come first: the chains that include them may use what they expose, and override
    // it.
    for scope in scopes.reversed() {
      connectModulations(scope)
      resolveExposures(scope)
      resolveScenes(scope)
      applyStartScene(scope)
      applyParameters(of: scope)
    }
    for scope in scopes.reversed() { applyAutomation(scope) }
    checkScenes()
    buildControls()
    applyOverrides(root)
    checkBindings()
    checkEndpoints()
    checkPaths()
    return finished(root)
  }

  /// The `tail` of the whole chain.
  private func tail() -> BuiltChain.Tail {
    guard let tail = document.settings.tail else { return .auto }
    if case .text(let word) = tail.value {
      switch word.lowercased() {
      case "auto": return .auto
      case "none": return .none
      default: break
      }
    }
    let spec = ParameterSpec("tail", "", .seconds, 0...3600, default: 0)
    do throws(ValueProblem) {
      return .seconds(try spec.value(tail.value, context: context))
    } catch {
      let hints =
        error.code == .invalidValue
        ? ["\"none\", \"auto\", or a time such as \"2 s\""] : error.hints
      diagnostics.add(
        Diagnostic(error.code, error.message, at: tail.place, hints: hints))
      return .auto
    }
  }

  /// The graph of the drafts, with the inputs and outputs of included chains inlined.
  private func finished(_ root: Scope) -> BuiltChain {
    let tail = tail()
    var index = [Int](repeating: -1, count: drafts.count)
    var graph = Graph()
    var nodePlaces: [Place] = []
    var specs: [UnitSpec?] = []
    var soundPlaces: [Int: [String: Place]] = [:]
    var equalizers: [Int: EqualizerSource] = [:]
    var nodeIndex: [String: Int] = [:]
    graph.nodes.reserveCapacity(drafts.count)
    for (number, draft) in drafts.enumerated() {
      guard let node = node(draft) else { continue }
      index[number] = graph.nodes.count
      nodeIndex[draft.id] = graph.nodes.count
      if !draft.soundPlaces.isEmpty { soundPlaces[graph.nodes.count] = draft.soundPlaces }
      equalizers[graph.nodes.count] = draft.equalizer
      graph.nodes.append(node)
      nodePlaces.append(draft.place)
      specs.append(draft.facts?.spec)
    }
    var connectionPlaces: [Place] = []
    for link in inlinedLinks() {
      guard index[link.from.node] >= 0, index[link.to.node] >= 0 else { continue }
      var connection = Connection(
        from: link.from, to: link.to, gain: Float(link.gain), channels: link.channels,
        carriesEvents: link.carriesEvents, feedbackDelay: link.feedbackDelay)
      connection.from.node = index[link.from.node]
      connection.to.node = index[link.to.node]
      graph.connections.append(connection)
      connectionPlaces.append(link.place)
    }
    var exposed: [String: BuiltChain.Parameter] = [:]
    for (name, exposure) in root.exposures where index[exposure.draft] >= 0 {
      exposed[name] = BuiltChain.Parameter(
        node: index[exposure.draft], slot: exposure.slot, spec: exposure.spec)
    }
    return BuiltChain(
      graph: graph, name: document.name, sampleRate: context.sampleRate,
      ownSampleRate: document.settings.sampleRate,
      resampling: environment.resampling ?? document.settings.resampling ?? .veryHigh,
      blockSize: document.settings.blockSize, channels: document.settings.channels, tail: tail,
      tempoMap: document.settings.tempo, seed: document.settings.seed,
      inputNames: drafts.compactMap {
        if case .source(let endpoint) = $0.content { endpoint.inputName } else { nil }
      },
      outputNames: drafts.compactMap {
        if case .sink(let endpoint, _) = $0.content { endpoint.outputName } else { nil }
      },
      exposed: exposed, scenes: scopes.flatMap(\.scenes).map { scene($0, index) },
      startScene: startScene, controls: controls.map { control($0, index) },
      controlSender: document.control.sender, followsClock: document.control.followsClock,
      specs: specs, nodePlaces: nodePlaces,
      soundPlaces: soundPlaces, equalizers: equalizers, connectionPlaces: connectionPlaces,
      nodeIndex: nodeIndex)
  }

  // MARK: From drafts to nodes

  private func scene(_ draft: SceneDraft, _ index: [Int]) -> Scene {
    let changes = draft.changes.filter { index[$0.target.draft] >= 0 }.map {
      Scene.Change(
        parameter: BuiltChain.Parameter(
          node: index[$0.target.draft], slot: $0.target.slot, spec: $0.target.spec),
        value: $0.value)
    }
    return Scene(name: draft.name, changes: changes, ramp: draft.ramp)
  }

  private func control(_ control: MIDIControl, _ index: [Int]) -> MIDIControl {
    var control = control
    func placed(_ parameter: BuiltChain.Parameter) -> BuiltChain.Parameter {
      BuiltChain.Parameter(
        node: index[parameter.node], slot: parameter.slot, spec: parameter.spec)
    }
    switch control.action {
    case .parameter(let parameter, let range): control.action = .parameter(placed(parameter), range)
    case .toggle(let parameter): control.action = .toggle(placed(parameter))
    case .bypass(let node): control.action = .bypass(node: index[node])
    case .toggleBypass(let node): control.action = .toggleBypass(node: index[node])
    case .scene: break
    }
    return control
  }

  private func node(_ draft: NodeBuilder) -> Node? {
    switch draft.content {
    case .inlet, .outlet, .broken: return nil
    case .source(let endpoint):
      return Node(
        id: draft.id, content: .source(endpoint), inputs: [], outputs: draft.outputs)
    case .sink(let endpoint, let isAligned):
      return Node(
        id: draft.id, content: .sink(endpoint, isAligned: isAligned), inputs: draft.inputs,
        outputs: [])
    case .unit(let facts):
      guard draft.values.count == draft.slots.count, draft.values.count >= 2 else { return nil }
      let moves =
        draft.automation.contains { draft.mixesDry($0.slot) }
        || draft.modulations.contains { draft.mixesDry($0.slot) }
      let isMixed = draft.values[draft.wetSlot] != 1 || draft.values[draft.bypassSlot] != 0
      var unit = UnitConfiguration(
        kind: facts.kind, options: draft.options, items: draft.items, parameters: draft.slots,
        values: draft.values, automation: automation(of: draft),
        modulations: draft.modulations, controlReadings: draft.controlReadings,
        latencyOverride: draft.latencyOverride, setup: draft.setup, events: draft.events,
        midiPort: draft.midiPort, beats: writtenBeats(draft))
      unit.mixesByPower = draft.document?.wetLaw?.value == "power"
      return Node(
        id: draft.id, content: .unit(unit),
        inputs: draft.inputs, outputs: draft.outputs, eventInputs: facts.spec.eventInputs,
        eventOutputs: facts.spec.eventOutputs, isReplicable: facts.isReplicable,
        rendersInPlace: facts.spec.rendersInPlace,
        keepsDry: facts.hasDrySignal && (moves || isMixed),
        offersDry: facts.hasDrySignal && environment.keepsDry)
    }
  }
}
