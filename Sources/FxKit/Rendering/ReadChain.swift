import FxAudio
import FxChain
import FxEngine
import FxMedia
import FxPlaying

/// A chain whose texts have been read for a request. Its sources are not opened yet.
struct ReadChain {
  let request: RenderRequest
  let chain: Chain
  /// Builds graphs of the chain as it was read.
  let builder: ChainBuilder
  /// The files that were read for it.
  let files = ChainFiles()
  /// How long a named file may take to open, and whether the render still wants it.
  let limits: OpeningLimits
  /// The settings for compiling it, without the facts of its sources.
  let settings: CompiledChain.Settings

  init(_ chain: Chain, _ request: RenderRequest, _ limits: OpeningLimits = OpeningLimits()) {
    self.chain = chain
    self.request = request
    self.limits = limits
    var settings = CompiledChain.Settings(request, limits)
    settings.note(into: files.texts)
    builder = chain.read(settings)
    // A mistake in the outputs is reported later, after the chain's own mistakes.
    let plays = (try? ChainDevices.play(builder.sinks, request)) ?? true
    let records = builder.sources.contains { request.records($0) }
    self.settings = settings.reading(request, usesDevice: plays || records, plays: plays)
  }

  /// Opens the sources. If one fails, mistakes of the chain are reported first.
  func opened() throws(ChainFailure) -> OpenedSources {
    do throws(ChainFailure) {
      var bindings = request.sourceBindings
      let measuresSink = builder.sinks.contains { request.encoding(of: $0).normalizedPeak != nil }
      bindings.streams = try request.streams(
        reading: builder.sources.compactMap { bindings.path(of: $0).flatMap(HTTPAddress.init) })
      bindings.areReadTwice = builder.hasMeasuringUnit || measuresSink
      return try OpenedSources(builder.sources, bindings, limits)
    } catch {
      _ = try builder.outline(settings.assuming(sampleRate: 48000, channels: 2))
      throw error
    }
  }

  /// The graph for these sources, without its units.
  func outline(_ sources: OpenedSources) throws(ChainFailure) -> CompiledChain {
    let recorded = request.live.captureChannels.map {
      StreamFormat(sampleRate: 48000, channelCount: $0)
    }
    return try builder.outline(settings.knowing(sources, request) { _ in recorded })
  }
}

extension RenderRequest {
  /// The checked request, with the settings of a replayed log.
  func prepared() throws(ChainFailure) -> RenderRequest {
    try check()
    return try adoptingReplay().movingPiece()
  }

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
          ?? (inputs[endpoint.target] == nil ? memory?.source?(endpoint.target) : nil)
      case .device, .stream, .network: memory?.device?(endpoint.channels)
      case .file, .generated, .schedule: nil
      }
    }
    bindings.raw = rawInputs.compactMapValues { try? RawFormat($0) }
    return bindings
  }
}
