import FxAudio
import FxEngine

/// Makes the graph of drafts whose values and connections are complete.
struct GraphAssembly {
  let document: ChainDocument
  let environment: ChainEnvironment
  let context: ValueContext
  let drafts: [NodeBuilder]
  /// The whole chain's scope comes first.
  let scopes: [Scope]
  var models: [String: NeuralModel] = [:]

  /// The chain with the root scope's names.
  ///
  /// - Parameters:
  ///   - links: the connections of the drafts, with included chains inlined.
  ///   - controls: the MIDI mappings, with numbers of drafts.
  func chain(
    _ links: [Link], tail: BuiltChain.Tail, startScene: Int?, _ controls: [MIDIControl]
  ) -> BuiltChain {
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
    for link in links {
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
    for (name, exposure) in scopes[0].exposures where index[exposure.draft] >= 0 {
      exposed[name] = BuiltChain.Parameter(
        node: index[exposure.draft], slot: exposure.slot, spec: exposure.spec)
    }
    return BuiltChain(
      graph: graph, version: document.settings.version, name: document.name,
      sampleRate: context.sampleRate,
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
      soundPlaces: soundPlaces, models: models, equalizers: equalizers,
      connectionPlaces: connectionPlaces,
      nodeIndex: nodeIndex)
  }

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
    case .scene, .tap: break
    }
    return control
  }

  private func node(_ draft: NodeBuilder) -> Graph.Node? {
    switch draft.content {
    case .inlet, .outlet, .broken: return nil
    case .source(let endpoint):
      return Graph.Node(
        id: draft.id, content: .source(endpoint), inputs: [], outputs: draft.outputs)
    case .sink(let endpoint, let isAligned):
      return Graph.Node(
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
        values: draft.values, automation: context.automation(of: draft),
        modulations: draft.modulations, controlReadings: draft.controlReadings,
        latencyOverride: draft.latencyOverride, setup: draft.setup, events: draft.events,
        midiPort: draft.midiPort, beats: context.writtenBeats(draft))
      unit.mixesByPower = draft.document?.wetLaw?.value == "power"
      return Graph.Node(
        id: draft.id, content: .unit(unit),
        inputs: draft.inputs, outputs: draft.outputs, eventInputs: facts.spec.eventInputs,
        eventOutputs: facts.spec.eventOutputs, isReplicable: facts.isReplicable,
        rendersInPlace: facts.spec.rendersInPlace,
        keepsDry: facts.hasDrySignal && (moves || isMixed),
        offersDry: facts.hasDrySignal && environment.keepsDry)
    }
  }
}
