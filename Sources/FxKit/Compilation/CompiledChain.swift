package import FxAudio
package import FxChain
package import FxEngine
import FxLV2
import FxPlaying
import FxUnits

/// A chain compiled from its file to a plan with prepared instances, without memory and drivers.
package struct CompiledChain: Sendable {
  package let built: BuiltChain
  package internal(set) var resolved: ResolvedGraph
  /// What it was built with, and its units are made with.
  let settings: Settings
  let eventBuses: EventBuses
  package private(set) var plan: RenderPlan
  /// The latency of the played sink in frames; 0 before the plan is compiled.
  private(set) var playedLatency = 0
  /// By node; nil for sources and sinks.
  package var instances: [UnitInstance?]
  /// By node: the traits of its unit; nil for plugins, sources and sinks.
  var traits: [UnitTraits?]
  /// By node: the longest tail under automation or modulation, if it is longer than the initial
  /// one.
  var longestTails: [Int: Tail]
  /// The channel counts and lengths of the sounds that its units load, by file.
  var sounds: [String: SoundAsset] = [:]
  /// By node: the sounds that this node names first.
  var soundOwners: [Int: [String]] = [:]
  /// The memory that it will allocate; nil for an outline.
  package private(set) var memory: MemoryNeed?
  /// The inboxes for live MIDI, of every node that takes MIDI; empty offline.
  package private(set) var inboxes: [Int: MIDIInbox]
  let loopNodes: Set<Int>
  /// By node: what its unit measures of the whole sound before it renders.
  private(set) var measuringUnits: [Int: String] = [:]
  /// Those of them that can also render without a measurement.
  private(set) var unmeasuredUnits: Set<Int> = []
  /// Nodes whose units may sound while their inputs are silent.
  private(set) var nodesThatSoundAlone: Set<Int> = []
  /// True if a unit needs the device's round trip.
  private(set) var usesRoundTrip = false
  /// The partition of its plan into threads; nil for one thread.
  private(set) var partition: Partition?
  /// Nodes whose plugins do not declare themselves real-time capable.
  let lateNodes: [Int]
  /// Sinks that mix recorded and played sound as it is heard, without removing the round trip.
  let sinksAsHeard: [Int]
  /// Frames a second.
  package let sampleRate: Double
  /// The block size in frames, as plugins see it.
  package let blockSize: Int
  /// Frames rendered at once: one block, or several.
  let renderSize: Int
  /// Warnings and notes; errors are thrown.
  package private(set) var diagnostics: Diagnostics

  package static let defaultBlockSize = 256

  /// The outline of a graph that is built: its sources and sinks with their channel counts, without
  /// units and plan.
  init(
    outlineOf chain: BuiltChain, _ found: Diagnostics, _ settings: Settings
  ) throws(ChainFailure) {
    built = chain
    self.settings = settings
    sampleRate = chain.sampleRate ?? settings.environment.fallbackSampleRate
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
    partition = settings.partition(resolved)
    inboxes = settings.isLive ? resolved.graph.inboxes(settings.units) : [:]
    let nodes = resolved.graph.nodes
    lateNodes = nodes.indices.filter { index in
      guard let unit = nodes[index].unit, case .lv2 = unit.kind,
        let type = try? settings.units.type(of: unit.kind)
      else { return false }
      return !type.spec.isRealtimeCapable
    }
    for (index, node) in nodes.enumerated() {
      guard let unit = node.unit else { continue }
      let spec = (try? settings.units.type(of: unit.kind))?.spec
      measuringUnits[index] = spec?.measures
      if spec?.rendersUnmeasured == true { unmeasuredUnits.insert(index) }
      if spec?.usesRoundTrip == true { usesRoundTrip = true }
      if let spec, BuiltInUnits.soundingAlone.contains(spec.id) {
        nodesThatSoundAlone.insert(index)
      }
    }
    instances = resolved.graph.nodes.map { _ in nil }
    traits = resolved.graph.nodes.map { _ in nil }
    plan = RenderPlan(portsOf: resolved)
    var all = found
    all.add(contentsOf: Diagnostics(chain.diagnostics(for: resolved.layouts.mismatches)))
    for node in nodes.indices {
      let layout = resolved.layouts.input(
        node, channelCount: resolved.inputWidths[node].first ?? 0)
      all.add(contentsOf: Diagnostics(chain.equalizerNotes(node, layout)))
    }
    diagnostics = all.sorted()
    if let mistake = measuringMistake() { throw ChainFailure(Diagnostics([mistake])) }
  }

  /// The same chain, which holds no units.
  var withoutUnits: CompiledChain {
    var chain = self
    chain.instances = chain.instances.map { _ in nil }
    return chain
  }

  /// Units of the playing chain, for unchanged nodes of a changed chain.
  struct KeptUnits: Sendable {
    let instances: [UnitInstance?]
    let inboxes: [Int: MIDIInbox]
    /// The nodes of the playing chain, with their latencies now.
    let summaries: [RenderPlan.NodeSummary]
    /// By node of the changed chain: its node in the playing chain.
    let nodes: [Int?]
    /// The memory that the playing chain has allocated.
    let memory: MemoryNeed?

    func node(_ node: Int) -> Int? { nodes.indices.contains(node) ? nodes[node] : nil }
  }

  /// Completes an outline: makes its plan and its units.
  ///
  /// - Parameter makesUnits: false for a check, which makes only plugins: some of their properties
  ///   are known only then.
  func completed(
    makesUnits: Bool = true, keeping kept: KeptUnits? = nil
  ) throws(ChainFailure) -> CompiledChain {
    var chain = self
    var diagnostics = diagnostics
    for node in inboxes.keys {
      if let old = kept?.node(node) { chain.inboxes[node] = kept?.inboxes[old] }
    }
    try chain.measureSounds(&diagnostics)
    chain.checkOptions(&diagnostics)
    if diagnostics.hasErrors { throw ChainFailure(diagnostics.sorted()) }
    try chain.findTraits()
    try chain.checkMemory(
      MemoryNeed(chain.traits, resolved, configuration(), sounds: chain.soundMemory), kept,
      diagnostics)
    try chain.makeUnits(kept, &diagnostics) { $0.traits == nil }
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
    chain.findPlayedLatency()
    let need = MemoryNeed(
      chain.traits, chain.plan, resolved, configuration(),
      sounds: chain.soundMemory, heldFrameCount: chain.heldFrameCount, isLive: settings.isLive,
      preRoll: settings.preRoll)
    try chain.checkMemory(need, kept, diagnostics)
    chain.memory = need
    if makesUnits {
      try chain.makeUnits(kept, &diagnostics) { $0.traits != nil }
    }
    chain.diagnostics = diagnostics.sorted()
    return chain
  }

  /// Sets the played latency for the units that use the round trip, and finds their traits again.
  private mutating func findPlayedLatency() {
    guard usesRoundTrip, let sink = settings.playedSink, plan.sinks.indices.contains(sink) else {
      return
    }
    playedLatency = plan.sinks[sink].latency
    for (index, node) in resolved.graph.nodes.enumerated() {
      guard let unit = node.unit, let type = try? settings.units.type(of: unit.kind),
        type.spec.usesRoundTrip, let find = type.traits
      else { continue }
      traits[index] = find(preparation(index, unit))
    }
  }

  /// The maximum of latencies that may change while the chain renders: one second, or twice the
  /// present latency if that is more.
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

  /// Refuses a chain that needs too much memory.
  private func checkMemory(
    _ need: MemoryNeed, _ kept: KeptUnits?, _ diagnostics: Diagnostics
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
        .internalError, code: .unsoundPlan,
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
      restsBypassedNodes: !isInteractive,
      measuresNodes: settings.isLive || settings.measuresNodes)
    configuration.measuresSteps = settings.measuresSteps
    configuration.takesFingerprints = settings.takesFingerprints
    configuration.recordedFrameCount = settings.recordedFrameCount
    configuration.tempo = built.tempoMap
    configuration.partition = partition
    configuration.isOffline = !settings.isLive
    return configuration
  }

  /// The tail after the end of the input, with the initial values of the parameters.
  package var tail: GraphTail { tail { traits[$0]?.tail } }

  /// The tail with the longest tail of each unit under automation or modulation.
  private var longestDeclaredTail: GraphTail { tail { longestTails[$0] } }

  private func tail(_ declared: (Int) -> Tail?) -> GraphTail {
    let tails = instances.enumerated().map { node, instance in
      declared(node) ?? instance?.tail ?? .none
    }
    return (try? resolved.tail(of: tails)) ?? GraphTail(isOpenEnded: true)
  }

  /// Seconds of silence that end an open-ended tail: half a second more than the longest declared
  /// tail plus the longest loop, which may be silent for that time.
  package var silence: Double {
    let tail = longestDeclaredTail
    return 0.5 + Double(tail.declaredFrames) / sampleRate + tail.longestLoop
  }

  /// Frames that each sink holds back because they may turn out to be the silence after the sound.
  private var heldFrameCount: Int {
    guard case .auto = built.tail, tail.isOpenEnded else { return 0 }
    return Int(min(silence * sampleRate, 1e12))
  }

  /// The maximum length of an open-ended tail, in seconds.
  package var longestTail: Double { 29.5 + silence }

  /// The latency of the chain's output in frames, before it is trimmed.
  package var latency: Int { plan.latency }
}

/// A chain is read, outlined and compiled; each value is made from the one before.
extension Chain {
  /// The chain with its included files read.
  package func read(_ settings: CompiledChain.Settings) -> ChainBuilder {
    ChainBuilder(
      bytes: bytes, path: path, code: code, defines: variables,
      catalog: settings.catalog ?? catalog,
      environment: settings.environment)
  }

  /// The graph without its units.
  package func outline(_ settings: CompiledChain.Settings) throws(ChainFailure) -> CompiledChain {
    try read(settings).outline(settings)
  }

  package func compiled(_ settings: CompiledChain.Settings) throws(ChainFailure) -> CompiledChain {
    try outline(settings).completed()
  }
}

extension ChainBuilder {
  /// The graph, with warnings and notes.
  package func built(
    _ settings: CompiledChain.Settings
  ) throws(ChainFailure) -> (chain: BuiltChain, found: Diagnostics) {
    let (chain, found) = build(settings.environment)
    guard let chain, !found.hasErrors else { throw ChainFailure(found) }
    return (chain, found)
  }

  /// The graph without its units.
  func outline(_ settings: CompiledChain.Settings) throws(ChainFailure) -> CompiledChain {
    let (chain, found) = try built(settings)
    var settings = settings
    settings.catalog = catalog
    return try CompiledChain(outlineOf: chain, found, settings)
  }
}
