package import FxDiagnostics
import FxAudio
import FxChain
package import FxGraph
import FxIO

/// A request made ready: the chain compiled for its sources, sources and sinks opened.
package struct RenderJob {
  let request: RenderRequest
  let chain: Chain
  let shelf: SourceShelf
  package let compiled: CompiledChain
  /// The sink that sounds on a device, with the device's name.
  let deviceSink: (index: Int, device: String)?
  /// The sources that a device records, with the device's name.
  let capture: (sources: [Int], device: String)?

  /// Compiles the chain for the request. Nothing is written yet.
  package init(_ chain: Chain, _ request: RenderRequest) throws(ChainFailure) {
    try request.check()
    let request = try request.adoptingReplay()
    self.chain = chain
    self.request = request
    let shelf = SourceShelf(inputs: request.inputs, memory: request.memory)
    self.shelf = shelf
    var settings = CompiledChain.Settings()
    settings.blockSize = request.blockSize
    settings.measuresNodes = request.measuresNodes
    settings.memoryLimit = request.memoryLimit ?? settings.memoryLimit
    settings.printsNodes = request.printsNodes
    settings.change = request.change
    settings.recordedFrameCount = request.recordedFrameCount
    settings.environment = RenderJob.environment(chain, request, shelf)
    settings.followReplay(of: request)
    settings.environment.recordsUnboundInput =
      request.live.captureDevice != nil
      || request.inputs.isEmpty && request.outputs["main"] == nil && request.memory == nil
    if let channels = request.live.captureChannels {
      settings.environment.sourceFormat = { endpoint in
        shelf.format(of: endpoint)
          ?? (request.records(endpoint)
            ? StreamFormat(sampleRate: 48000, channelCount: channels) : nil)
      }
    }
    var outline = try RenderJob.outline(chain, settings, shelf)
    deviceSink = try RenderJob.deviceSink(of: outline, request)
    let recordsInput = outline.plan.sources.contains { source in
      guard case .input(let name) = outline.endpoint(ofSource: source) else { return false }
      return !request.binds(name)
    }
    if recordsInput, deviceSink == nil, request.live.captureDevice == nil {
      // Nothing is live: the input needs a file, and the chain is to say so.
      settings.environment.recordsUnboundInput = false
      outline = try RenderJob.outline(chain, settings, shelf)
    }
    capture = try RenderJob.capture(of: outline, request)
    // What is live is compiled for what the device agrees to, once it is open.
    let isLive = deviceSink != nil || capture != nil
    let whole = outline
    compiled =
      isLive
      ? outline
      : try RenderJob.sourceful(shelf) { () throws(ChainFailure) in
        try whole.completed(catalog: UnitLibrary.shared, settings: settings)
      }
  }

  /// The chain's warnings and notes.
  package var diagnostics: Diagnostics {
    var found = compiled.diagnostics
    if isLive { found.add(contentsOf: compiled.realtimeNotes) }
    return found.sorted()
  }

  /// True when a device plays or records, rather than files alone.
  package var isLive: Bool { deviceSink != nil || capture != nil }

  static func outline(
    _ chain: Chain, _ settings: CompiledChain.Settings, _ shelf: SourceShelf
  ) throws(ChainFailure) -> CompiledChain {
    try sourceful(shelf) { () throws(ChainFailure) in
      try CompiledChain(outlineOf: chain, catalog: UnitLibrary.shared, settings: settings)
    }
  }

  static func compile(
    _ chain: Chain, _ settings: CompiledChain.Settings, _ shelf: SourceShelf
  ) throws(ChainFailure) -> CompiledChain {
    try sourceful(shelf) { () throws(ChainFailure) in try chain.compiled(settings) }
  }

  /// What is compiled with the sources of a shelf, or what was wrong with those.
  private static func sourceful(
    _ shelf: SourceShelf, _ compile: () throws(ChainFailure) -> CompiledChain
  ) throws(ChainFailure) -> CompiledChain {
    do throws(ChainFailure) {
      let compiled = try compile()
      if let failure = shelf.failure { throw failure }
      return compiled
    } catch {
      // A source that is not there is why its format is unknown, not the other way round.
      if error.kind != .chain, let failure = shelf.failure { throw failure }
      if let failure = shelf.failure, error.details.errorCount == 0 { throw failure }
      throw error
    }
  }

  static func environment(
    _ chain: Chain, _ request: RenderRequest, _ shelf: SourceShelf
  ) -> ChainEnvironment {
    var environment = ChainEnvironment(
      inputs: request.memory == nil ? Set(request.inputs.keys) : nil, outputs: nil,
      overrides: request.overrides,
      bypassed: request.bypassed, sourceFormat: { shelf.format(of: $0) })
    environment.sourceKind = { request.records($0) ? .device : shelf.kind(of: $0) }
    environment.scene = request.scene
    environment.start = { request.startSeconds(sampleRate: $0) }
    environment.taps = request.taps.map {
      ChainEnvironment.Tap(node: $0.node, path: $0.file, encoding: request.encoding)
    }
    return environment
  }

  /// The sink that plays: a device that the chain names, or `default` for an output that nothing is
  /// bound to. `-o` takes the place of a device where the chain has no main output.
  private static func deviceSink(
    of compiled: CompiledChain, _ request: RenderRequest
  ) throws(ChainFailure) -> (index: Int, device: String)? {
    guard request.memory == nil else { return nil }
    var outputNames: Set<String> = []
    var devices: [(index: Int, device: String)] = []
    for (index, sink) in compiled.plan.sinks.enumerated() {
      switch compiled.endpoint(ofSink: sink) {
      case .output(let name):
        outputNames.insert(name)
        if request.outputs[name] == nil {
          devices.append((index, request.live.playbackDevice("default")))
        }
      case .alsa(let device): devices.append((index, request.live.playbackDevice(device)))
      case .file, .standardOutput, .null, nil: break
      }
    }
    for name in request.outputs.keys.sorted() where !outputNames.contains(name) {
      // `-o` in place of the one device.
      if name == "main", devices.count == 1 {
        return nil
      }
      let known = outputNames.isEmpty ? "none" : outputNames.sorted().joined(separator: ", ")
      throw ChainFailure(
        .request, code: "unknown-output",
        "the chain has no output '\(name)' (its outputs: \(known))", path: request.outputs[name])
    }
    guard devices.count <= 1 else {
      throw ChainFailure(
        .request, code: "several-devices",
        "the chain plays on several sinks (\(devices.map(\.device).joined(separator: ", "))) and "
          + "this version plays on one: give the others a file with --output name=FILE")
    }
    return devices.first
  }

  /// The sources that are recorded: devices that the chain names, and an input that nothing is bound
  /// to. One device for all of them.
  private static func capture(
    of compiled: CompiledChain, _ request: RenderRequest
  ) throws(ChainFailure) -> (sources: [Int], device: String)? {
    var sources: [Int] = []
    var devices: [String] = []
    for (index, source) in compiled.plan.sources.enumerated() {
      guard let endpoint = compiled.endpoint(ofSource: source), request.records(endpoint) else {
        continue
      }
      sources.append(index)
      let device = request.live.recordingDevice(endpoint)
      if !devices.contains(device) { devices.append(device) }
    }
    guard devices.count <= 1 else {
      throw ChainFailure(
        .request, code: "several-devices",
        "the chain records from several devices (\(devices.joined(separator: ", "))), and this "
          + "version records from one")
    }
    return devices.first.map { (sources, $0) }
  }
}

extension RenderRequest {
  /// True for what a device records.
  func records(_ endpoint: SourceEndpoint) -> Bool {
    switch endpoint {
    case .alsa: memory?.device == nil
    case .input(let name): !binds(name)
    case .file, .standardInput, .null: false
    }
  }
}

extension LiveSettings {
  func playbackDevice(_ name: String) -> String { name == "default" ? device ?? name : name }

  func recordingDevice(_ endpoint: SourceEndpoint) -> String {
    if case .alsa(let name, _) = endpoint, name != "default" { return name }
    return captureDevice ?? device ?? "default"
  }
}

extension CompiledChain {
  /// What a sink of the plan leads to.
  package func endpoint(ofSink sink: RenderPlan.Port) -> SinkEndpoint? {
    guard case .sink(let endpoint, _) = resolved.graph.nodes[sink.node].content else { return nil }
    return endpoint
  }

  package func endpoint(ofSource source: RenderPlan.Port) -> SourceEndpoint? {
    guard case .source(let endpoint) = resolved.graph.nodes[source.node].content else { return nil }
    return endpoint
  }
}
