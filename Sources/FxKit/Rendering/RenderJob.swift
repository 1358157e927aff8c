package import FxChain
package import FxEngine
package import FxAudio
import FxMedia
import FxPlaying

/// A request with its chain read, its sources opened, and its graph built and compiled.
///
/// Each of these values is made from the one before: `RenderRequest.prepared`, `ReadChain`,
/// `OpenedSources`, the outline and the compiled chain. Functions of a job read or write what its
/// compiled chain needs; a job for another compilation of the chain is a copy (`with`).
package struct RenderJob {
  let read: ReadChain
  let sources: OpenedSources
  let devices: ChainDevices
  /// The nodes that measure the whole sound before they render, each with a word for what it
  /// measures. Until then, `compiled` has no units.
  let measuringNodes: [Int: String]
  /// Of a live chain only an outline, until its device is opened.
  package private(set) var compiled: CompiledChain

  /// Compiles the chain for the request. Nothing is written yet.
  ///
  /// - Parameter stop: stops waiting for a source to open.
  package init(
    _ chain: Chain, _ request: RenderRequest, stop: StopSignal = StopSignal()
  ) throws(ChainFailure) {
    let request = try request.prepared()
    read = ReadChain(
      chain, request, OpeningLimits(seconds: request.openingSeconds) { stop.isStopped })
    sources = try read.opened()
    let outline = try read.outline(sources)
    devices = try ChainDevices(of: outline, request)
    // A live chain is compiled later, for the settings of the opened device.
    let isLive = !devices.isEmpty
    measuringNodes = outline.measuringNodes(request).filter {
      !isLive || !outline.unmeasuredUnits.contains($0.key)
    }
    if !request.sampleInputs.values.allSatisfy(\.isWhole), !measuringNodes.isEmpty {
      throw ChainFailure(
        .request, code: .needsWholeSound,
        "the chain measures the whole sound before it renders, and samples that are pushed or pulled "
          + "cannot be read twice")
    }
    if isLive, let mistake = outline.wholeSoundMistake(measuringNodes, where: "a performance") {
      throw ChainFailure(Diagnostics([mistake]))
    }
    compiled = isLive ? outline : try outline.completed(makesUnits: measuringNodes.isEmpty)
  }

  /// The job for another compilation of its chain.
  func with(_ compiled: CompiledChain) -> RenderJob {
    var job = self
    job.compiled = compiled
    return job
  }

  var request: RenderRequest { read.request }

  /// The chain's warnings and notes.
  package var diagnostics: Diagnostics {
    var found = compiled.diagnostics
    if isLive { found.add(contentsOf: compiled.realtimeNotes) }
    return found.sorted()
  }

  /// True if a device plays or records.
  package var isLive: Bool { !devices.isEmpty }
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
