package import FxAudio
package import FxChain
package import FxDiagnostics
package import FxEngine
package import FxGraph
import FxLV2
import FxPlaying

/// A chain from its file to a plan with prepared instances: everything but memory and drivers.
package struct CompiledChain: Sendable {
  package let built: BuiltChain
  package let resolved: ResolvedGraph
  let eventBuses: EventBuses
  /// Frames from what is recorded to what is heard of it; 0 where that is not known.
  let roundTrip: Int
  package private(set) var plan: RenderPlan
  /// Frames by which what is played leaves the chain late; 0 before the plan is compiled.
  private(set) var playedLatency = 0
  /// By node; nil for sources and sinks.
  package var instances: [UnitInstance?]
  /// By node: what its unit is; nil for plugins, sources and sinks.
  var traits: [UnitTraits?]
  /// By node: the longest tail of the values that automation brings; of nodes that have some.
  var longestTails: [Int: Tail]
  /// The sounds that its units are made with, by file: how wide and how long they are.
  var sounds: [String: SoundAsset] = [:]
  /// By node: the sounds that it is the first to name.
  var soundOwners: [Int: [String]] = [:]
  /// What it will allocate; nil for an outline.
  package private(set) var memory: MemoryNeed?
  /// Where MIDI that is played live is put, by node; none offline.
  package private(set) var inboxes: [Int: MIDIInbox]
  let loopNodes: Set<Int>
  /// Units that measure the whole sound before they render, and what, by node.
  private(set) var measuringUnits: [Int: String] = [:]
  /// Those of them that also render what has not been measured.
  private(set) var unmeasuredUnits: Set<Int> = []
  /// A unit wants to know the device's round trip.
  private(set) var usesRoundTrip = false
  /// What was measured for them, by node.
  let measured: [Int: [Double]]
  /// What each node takes is measured: always when it is played.
  private let measuresNodes: Bool
  /// So is that of each sum and delay.
  private let measuresSteps: Bool
  /// What passes each node is pictured.
  private let takesFingerprints: Bool
  private let recordedFrameCount: Int
  private let isLive: Bool
  /// What its plan is divided by; nil for one thread.
  private(set) var partition: Partition?
  /// Nodes whose plugins do not claim to be fit for playing live.
  let lateNodes: [Int]
  /// Sinks that mix what is recorded with what is played as it is heard.
  let sinksAsHeard: [Int]
  /// Frames a second.
  package let sampleRate: Double
  /// Frames of a block: what plugins see.
  package let blockSize: Int
  /// Frames that are rendered at once: a block, or several.
  let renderSize: Int
  /// Warnings and notes; errors are thrown.
  package private(set) var diagnostics: Diagnostics

  package static let defaultBlockSize = 256

  package init(
    _ chain: Chain, catalog: any UnitCatalog, settings: Settings
  ) throws(ChainFailure) {
    let outline = try CompiledChain(outlineOf: chain, catalog: catalog, settings: settings)
    self = try outline.completed(catalog: catalog, settings: settings)
  }

  /// Reads the chain and builds its graph, without its units.
  package init(
    outlineOf chain: Chain, catalog: any UnitCatalog, settings: Settings
  ) throws(ChainFailure) {
    try self.init(
      outlineOf: ChainBuilder(chain, catalog: catalog, settings.environment), catalog: catalog,
      settings: settings)
  }

  /// The chain as far as it is known without its units: its sources and sinks and how wide they are.
  package init(
    outlineOf builder: ChainBuilder, catalog: any UnitCatalog, settings: Settings
  ) throws(ChainFailure) {
    let (made, found) = builder.build(settings.environment)
    guard let chain = made, !found.hasErrors else { throw ChainFailure(found) }
    try self.init(outlineOf: chain, found, catalog: catalog, settings: settings)
  }

  /// The same of a graph that is built.
  init(
    outlineOf chain: BuiltChain, _ found: Diagnostics, catalog: any UnitCatalog,
    settings: Settings
  ) throws(ChainFailure) {
    built = chain
    sampleRate = chain.sampleRate ?? settings.fallbackSampleRate
    blockSize = settings.blockSize ?? chain.blockSize ?? Self.defaultBlockSize
    do throws(GraphError) {
      let fitted = settings.fitted(chain.graph)
      resolved = try fitted.graph.resolved()
      renderSize = settings.joinsBlocks ? Self.joinedSize(blockSize, resolved) : blockSize
      eventBuses = EventBuses(resolved.graph)
      sinksAsHeard = fitted.asHeard
      loopNodes = try resolved.nodesInLoops()
    } catch {
      throw Self.failure(error, chain, found)
    }
    longestTails = [:]
    isLive = settings.isLive
    partition = settings.partition(resolved)
    measuresNodes = settings.isLive || settings.measuresNodes
    measuresSteps = settings.measuresSteps
    takesFingerprints = settings.takesFingerprints
    recordedFrameCount = settings.recordedFrameCount
    inboxes = settings.isLive ? resolved.graph.inboxes : [:]
    let nodes = resolved.graph.nodes
    lateNodes = nodes.indices.filter { index in
      guard let unit = nodes[index].unit, case .lv2 = unit.kind,
        let type = try? catalog.type(of: unit.kind)
      else { return false }
      return !type.spec.isRealtimeCapable
    }
    measured = settings.measured
    roundTrip = settings.roundTrip
    for (index, node) in nodes.enumerated() {
      guard let unit = node.unit else { continue }
      let spec = (try? catalog.type(of: unit.kind))?.spec
      measuringUnits[index] = spec?.measures
      if spec?.rendersUnmeasured == true { unmeasuredUnits.insert(index) }
      if spec?.usesRoundTrip == true { usesRoundTrip = true }
    }
    instances = resolved.graph.nodes.map { _ in nil }
    traits = resolved.graph.nodes.map { _ in nil }
    plan = RenderPlan(portsOf: resolved)
    var all = found
    all.add(contentsOf: Diagnostics(chain.diagnostics(for: resolved.layouts.mismatches)))
    diagnostics = all.sorted()
    if let mistake = measuringMistake() { throw ChainFailure(Diagnostics([mistake])) }
  }

  /// Units of a chain that plays, for nodes of a changed one that are the same.
  struct KeptUnits: Sendable {
    let instances: [UnitInstance?]
    let inboxes: [Int: MIDIInbox]
    /// With the latencies that they have now.
    let summaries: [RenderPlan.NodeSummary]
    /// By node of the changed chain, the node that it was.
    let nodes: [Int?]
    /// What the chain that plays has allocated.
    let memory: MemoryNeed?

    func node(_ node: Int) -> Int? { nodes.indices.contains(node) ? nodes[node] : nil }
  }

  /// The chain with its units made, and its plan. Of an outline.
  func completed(
    catalog: any UnitCatalog, settings: Settings, keeping kept: KeptUnits? = nil
  ) throws(ChainFailure) -> CompiledChain {
    var chain = self
    var diagnostics = diagnostics
    for node in inboxes.keys {
      if let old = kept?.node(node) { chain.inboxes[node] = kept?.inboxes[old] }
    }
    try chain.measureSounds(catalog, settings, &diagnostics)
    chain.checkOptions(catalog, settings, &diagnostics)
    if diagnostics.hasErrors { throw ChainFailure(diagnostics.sorted()) }
    try chain.findTraits(catalog, settings)
    try chain.checkMemory(
      MemoryNeed(chain.traits, resolved, configuration(), sounds: chain.soundMemory), kept,
      settings, diagnostics)
    try chain.makeUnits(catalog, settings, kept, &diagnostics) { $0.traits == nil }
    var latencies = built.graph.nodes.enumerated().map { index, node -> Int in
      guard case .unit(let unit) = node.content else { return 0 }
      let isolation = unit.setup.isIsolated ? LV2World.isolationLatency(blockSize: blockSize) : 0
      return unit.latencyOverride.map { $0 + isolation }
        ?? chain.instances[index]?.latency ?? chain.traits[index]?.latency ?? 0
    }
    var limits = Self.latencyLimits(
      built.graph, chain.instances, latencies, sampleRate: sampleRate)
    for node in latencies.indices {
      guard let kept, let old = kept.node(node), kept.summaries.indices.contains(old) else {
        continue
      }
      latencies[node] = kept.summaries[old].latency
      limits[node] = kept.summaries[old].latencyLimit
    }
    chain.partition?.filterCounts = chain.instances.indices.map {
      chain.instances[$0]?.filterCount ?? chain.traits[$0]?.filterCount ?? 0
    }
    do throws(GraphError) {
      chain.plan = try GraphCompiler(
        resolved, latencies: latencies, limits: limits, sampleRate: sampleRate,
        partition: chain.partition
      ).compile()
    } catch {
      throw Self.failure(error, built, diagnostics)
    }
    chain.findPlayedLatency(catalog, settings)
    let need = MemoryNeed(
      chain.traits, chain.plan, resolved, configuration(),
      sounds: chain.soundMemory, heldFrameCount: chain.heldFrameCount, isLive: settings.isLive,
      preRoll: settings.preRoll)
    try chain.checkMemory(need, kept, settings, diagnostics)
    chain.memory = need
    if settings.makesUnits {
      try chain.makeUnits(catalog, settings, kept, &diagnostics) { $0.traits != nil }
    }
    chain.diagnostics = diagnostics.sorted()
    return chain
  }

  /// Notes how late the sound is played for the units that wait for its echo.
  private mutating func findPlayedLatency(_ catalog: any UnitCatalog, _ settings: Settings) {
    guard usesRoundTrip, let sink = settings.playedSink, plan.sinks.indices.contains(sink) else {
      return
    }
    playedLatency = plan.sinks[sink].latency
    for (index, node) in resolved.graph.nodes.enumerated() {
      guard let unit = node.unit, let type = try? catalog.type(of: unit.kind),
        type.spec.usesRoundTrip, let find = type.traits
      else { continue }
      traits[index] = find(preparation(index, unit, isLive: settings.isLive))
    }
  }

  /// How far latencies that may change while the chain renders can be followed: a second, or twice
  /// what they are.
  private static func latencyLimits(
    _ graph: Graph, _ instances: [UnitInstance?], _ latencies: [Int], sampleRate: Double
  ) -> [Int: Int] {
    var limits: [Int: Int] = [:]
    for (node, instance) in instances.enumerated() {
      guard let instance, instance.latencyMoves, case .unit(let unit) = graph.nodes[node].content,
        unit.latencyOverride == nil
      else { continue }
      limits[node] = max(Int(sampleRate.rounded(.up)), 2 * latencies[node])
    }
    return limits
  }

  /// Refuses what the chain may not have.
  private func checkMemory(
    _ need: MemoryNeed, _ kept: KeptUnits?, _ settings: Settings, _ diagnostics: Diagnostics
  ) throws(ChainFailure) {
    var need = need
    if let kept, let playing = kept.memory { need.add(playing) { kept.node($0) } }
    guard let refusal = need.refusal(limit: settings.memoryLimit, of: built) else { return }
    var diagnostics = diagnostics
    diagnostics.add(refusal)
    throw ChainFailure(diagnostics.sorted())
  }

  private static func failure(
    _ error: GraphError, _ chain: BuiltChain, _ diagnostics: Diagnostics
  ) -> ChainFailure {
    guard let diagnostic = chain.diagnostic(for: error) else {
      return ChainFailure(
        .internalError, code: "unsound-plan",
        "the compiled plan does not do what the chain says (\(error)); "
          + "this is a mistake in fxrun, please report it with the chain")
    }
    var diagnostics = diagnostics
    diagnostics.add(diagnostic)
    return ChainFailure(diagnostics.sorted())
  }

  /// Makes the plan runnable. Instances belong to one program at a time.
  package func program(startFrame: Int = 0, isInteractive: Bool = false) -> RenderProgram {
    RenderProgram(
      plan: plan, graph: resolved, instances: instances,
      configuration: configuration(startFrame: startFrame, isInteractive: isInteractive))
  }

  private func configuration(
    startFrame: Int = 0, isInteractive: Bool = false
  ) -> ProgramConfiguration {
    var configuration = ProgramConfiguration(
      sampleRate: sampleRate, maximumFrameCount: renderSize, startFrame: startFrame,
      restsBypassedNodes: !isInteractive, measuresNodes: measuresNodes)
    configuration.measuresSteps = measuresSteps
    configuration.takesFingerprints = takesFingerprints
    configuration.recordedFrameCount = recordedFrameCount
    configuration.tempo = built.tempoMap
    configuration.partition = partition
    configuration.isOffline = !isLive
    return configuration
  }

  /// How long the chain sounds on after its input, with the values that its parameters start with.
  package var tail: GraphTail { tail { traits[$0]?.tail } }

  /// The same with the longest tail of each unit that automation brings.
  private var longestDeclaredTail: GraphTail { tail { longestTails[$0] } }

  private func tail(_ declared: (Int) -> Tail?) -> GraphTail {
    let tails = instances.enumerated().map { node, instance in
      declared(node) ?? instance?.tail ?? .none
    }
    return (try? resolved.tail(of: tails)) ?? GraphTail(isOpenEnded: true)
  }

  /// Seconds of silence after which an open-ended tail is over: half a second more than what its
  /// units declare at most and its longest loop may be silent in between.
  package var silence: Double {
    let tail = longestDeclaredTail
    return 0.5 + Double(tail.declaredFrames) / sampleRate + tail.longestLoop
  }

  /// Frames that each sink holds back while they may turn out to be silence.
  private var heldFrameCount: Int {
    guard case .auto = built.tail, tail.isOpenEnded else { return 0 }
    return Int(min(silence * sampleRate, 1e12))
  }

  /// Seconds after which an open-ended tail ends in any case.
  package var longestTail: Double { 29.5 + silence }

  /// Frames by which the chain's output is late, before it is trimmed.
  package var latency: Int { plan.latency }
}

extension ChainBuilder {
  /// Reads a chain and every file that it names.
  convenience init(_ chain: Chain, catalog: any UnitCatalog, _ environment: ChainEnvironment) {
    self.init(
      bytes: chain.bytes, path: chain.path, defines: chain.variables, catalog: catalog,
      environment: environment)
  }
}
