import CRealtime
package import FxAudio
package import FxChain
package import FxEngine
import FxMedia
import FxPlaying

/// A prepared request: the chain is read, its sources are opened, its graph is built and compiled.
package struct RenderJob {
  let request: RenderRequest
  let chain: Chain
  /// Builds graphs of the chain as it was read at the start.
  let builder: ChainBuilder
  /// The files that were read for it.
  let files = ChainFiles()
  /// How long a named file may take to open, and whether the render still wants it.
  let limits: OpeningLimits
  let sources: OpenedSources
  /// The settings for compiling.
  let settings: CompiledChain.Settings
  /// The nodes that measure the whole sound before they render, each with a word for what it
  /// measures. Until then, `compiled` has no units.
  let measuringNodes: [Int: String]
  package let compiled: CompiledChain
  let devices: ChainDevices

  /// Compiles the chain for the request. Nothing is written yet.
  ///
  /// - Parameter stop: stops waiting for a source to open.
  package init(
    _ chain: Chain, _ request: RenderRequest, stop: StopSignal = StopSignal()
  ) throws(ChainFailure) {
    try request.check()
    let request = try request.adoptingReplay().movingPiece()
    self.chain = chain
    self.request = request
    var settings = CompiledChain.Settings()
    settings.blockSize = request.blockSize
    settings.measuresNodes = request.measuresNodes
    settings.measuresSteps = request.measuresSteps
    settings.nodeCosts = request.nodeCosts
    settings.threads = request.threads ?? Int(fx_usable_processor_count())
    settings.memoryLimit = request.memoryLimit ?? settings.memoryLimit
    settings.takesFingerprints = request.takesFingerprints
    settings.change = request.change
    settings.preRoll = request.recording?.preRoll ?? 0
    settings.recordedFrameCount = request.recordedFrameCount
    limits = OpeningLimits(seconds: request.openingSeconds) { stop.isStopped }
    settings.environment = RenderJob.environment(chain, request, limits)
    settings.followReplay(of: request)
    settings.note(into: files.texts)
    builder = ChainBuilder(chain, catalog: UnitLibrary.shared, settings.environment)
    var plays = true
    do throws(ChainFailure) {
      plays = try ChainDevices.play(builder.sinks, request)
    } catch {
      // Reported below, after the chain's own mistakes.
    }
    let records = builder.sources.contains { request.records($0) }
    // Offline, an input needs a file, and the chain reports a missing one.
    settings.environment.recordsUnboundInput =
      request.live.captureDevice != nil
      || plays && request.inputs.isEmpty && request.outputs["main"] == nil && request.memory == nil
    if plays || records { settings.environment.keepsDry = true }
    settings.joinsBlocks =
      !plays && !records && request.blockSize == nil && request.replay == nil
      && !request.takesFingerprints && !request.measuresNodes
    sources = try RenderJob.opened(builder, request, settings)
    settings.environment.sourceFacts = RenderJob.facts(
      sources, request,
      recorded: { _ in
        request.live.captureChannels.map { StreamFormat(sampleRate: 48000, channelCount: $0) }
      })
    let outline = try RenderJob.outline(builder, settings)
    devices = try ChainDevices(of: outline, request)
    // A live chain is compiled later, for the settings of the opened device.
    let isLive = !devices.isEmpty
    measuringNodes = Self.measuringNodes(outline, request).filter {
      !isLive || !outline.unmeasuredUnits.contains($0.key)
    }
    settings.makesUnits = measuringNodes.isEmpty
    if !request.sampleInputs.isEmpty, !measuringNodes.isEmpty {
      throw ChainFailure(
        .request, code: .needsWholeSound,
        "the chain measures the whole sound before it renders, and samples of the caller cannot be "
          + "read twice")
    }
    self.settings = settings
    if isLive, let mistake = outline.wholeSoundMistake(measuringNodes, where: "a performance") {
      throw ChainFailure(Diagnostics([mistake]))
    }
    compiled =
      isLive ? outline : try outline.completed(catalog: UnitLibrary.shared, settings: settings)
  }

  /// Opens the sources. If one fails, mistakes of the chain are reported first.
  private static func opened(
    _ builder: ChainBuilder, _ request: RenderRequest, _ settings: CompiledChain.Settings
  ) throws(ChainFailure) -> OpenedSources {
    do throws(ChainFailure) {
      var bindings = request.sourceBindings
      let measuresSink = builder.sinks.contains { request.encoding(of: $0).normalizedPeak != nil }
      bindings.streams = try streams(
        request,
        reading: builder.sources.compactMap { bindings.path(of: $0).flatMap(HTTPAddress.init) })
      bindings.areReadTwice = builder.hasMeasuringUnit || measuresSink
      return try OpenedSources(builder.sources, bindings, settings.environment.limits)
    } catch {
      var assumed = settings
      assumed.environment.sourceFacts = CompiledChain.Settings.check().environment.sourceFacts
      _ = try outline(builder, assumed)
      throw error
    }
  }

  /// The chain's warnings and notes.
  package var diagnostics: Diagnostics {
    var found = compiled.diagnostics
    if isLive { found.add(contentsOf: compiled.realtimeNotes) }
    return found.sorted()
  }

  /// True if a device plays or records.
  package var isLive: Bool { !devices.isEmpty }

  private static func outline(
    _ builder: ChainBuilder, _ settings: CompiledChain.Settings
  ) throws(ChainFailure) -> CompiledChain {
    try CompiledChain(outlineOf: builder, catalog: UnitLibrary.shared, settings: settings)
  }

  /// The formats of the sources, for the graph.
  ///
  /// - Parameter recorded: the format of the device that records a source; nil if it is unknown.
  static func facts(
    _ sources: OpenedSources, _ request: RenderRequest,
    recorded: @escaping @Sendable (SourceEndpoint) -> StreamFormat?
  ) -> @Sendable (SourceEndpoint) -> SourceFacts? {
    { endpoint in
      guard request.records(endpoint) else { return sources.facts(of: endpoint) }
      return recorded(endpoint).map { SourceFacts($0, .endless) }
    }
  }

  static func environment(
    _ chain: Chain, _ request: RenderRequest, _ limits: OpeningLimits
  ) -> ChainEnvironment {
    var environment = ChainEnvironment(
      inputs: request.memory == nil
        ? Set(request.inputs.keys).union(request.sampleInputs.keys) : nil, outputs: nil,
      overrides: request.overrides, bypassed: request.bypassed)
    environment.read(within: limits)
    environment.endpoints = .all
    environment.scene = request.scene
    environment.sampleRate = request.sampleRate
    environment.resampling = request.resampling.flatMap(RateConversion.Quality.init)
    environment.mainInput = request.inputEdit
    environment.loudness = request.loudness
    environment.start = { request.startSeconds(sampleRate: $0) }
    environment.taps = request.taps.map {
      ChainEnvironment.Tap(node: $0.node, path: $0.file, encoding: request.tapEncoding)
    }
    environment.copies = request.copies.map {
      ChainEnvironment.Copy(path: $0, encoding: request.namedEncoding)
    }
    return environment
  }
}

extension RenderRequest {
  /// True if a device records the source.
  func records(_ endpoint: SourceEndpoint) -> Bool {
    switch endpoint.nature {
    case .device: memory?.device == nil
    case .bound: !binds(endpoint.target)
    case .file, .stream, .network, .generated, .schedule: false
    }
  }

  /// The files and samples to open for the sources.
  var sourceBindings: SourceBindings {
    let (inputs, samples, memory) = (inputs, sampleInputs, memory)
    var bindings = SourceBindings(paths: inputs) { endpoint in
      switch endpoint.nature {
      case .bound:
        samples[endpoint.target]?.source(endpoint.target)
          ?? (inputs[endpoint.target] == nil ? memory?.source(endpoint.target) : nil)
      case .device, .stream, .network: memory?.device?(endpoint.channels)
      case .file, .generated, .schedule: nil
      }
    }
    bindings.raw = rawInputs.compactMapValues { try? RawFormat($0) }
    return bindings
  }
}

extension CompiledChain {
  /// The endpoint of a sink of the plan.
  package func endpoint(ofSink sink: RenderPlan.Port) -> SinkEndpoint? {
    guard case .sink(let endpoint, _) = resolved.graph.nodes[sink.node].content else { return nil }
    return endpoint
  }

  package func endpoint(ofSource source: RenderPlan.Port) -> SourceEndpoint? {
    guard case .source(let endpoint) = resolved.graph.nodes[source.node].content else { return nil }
    return endpoint
  }
}
