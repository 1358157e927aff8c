import CRealtime
package import FxAudio
package import FxChain
import FxEngine
import FxPlaying

/// The settings of a request. They are taken from it only here; later stages add what they know.
extension CompiledChain.Settings {
  /// The settings before anything of the chain is known.
  ///
  /// - Parameter limits: how long a named file may take to open.
  init(_ request: RenderRequest, _ limits: OpeningLimits) {
    self.init(valuesOf: request)
    environment.read(within: limits)
    environment.inputs =
      request.memory?.source == nil
      ? Set(request.inputs.keys).union(request.sampleInputs.keys) : nil
    environment.sampleRate = request.replay?.header.sampleRate ?? request.sampleRate
    environment.resampling = request.resampling.flatMap(RateConversion.Quality.init)
    environment.mainInput = request.inputEdit
    environment.loudness = request.loudness
    environment.gain = request.album?.gain
    environment.start = { request.startSeconds(sampleRate: $0) }
    (environment.taps, environment.tapEncoding) = (request.taps, request.tapEncoding)
    environment.copies = request.copies.map { ($0, request.encoding(ofFile: $0)) }
    // A performance keeps dry signals, and so does its replay.
    environment.keepsDry = request.replay != nil
    blockSize = request.blockSize
    measuresNodes = request.measuresNodes
    measuresSteps = request.measuresSteps
    nodeCosts = request.nodeCosts
    if request.threads == nil { threads = Int(fx_usable_processor_count()) }
    takesFingerprints = request.takesFingerprints
    recordedFrameCount = request.recordedFrameCount
    change = request.change
    preRoll = request.recording?.preRoll ?? 0
  }

  /// What a check takes from a request too.
  private init(valuesOf request: RenderRequest) {
    environment.overrides = request.settings
    environment.bypassed = request.bypassed
    environment.scene = request.scene
    if let requested = request.threads { (threads, areThreadsRequested) = (requested, true) }
    if let limit = request.memoryLimit { memoryLimit = limit }
  }

  /// The settings for a check of a chain: every input without known facts is assumed to exist.
  ///
  /// - Parameters:
  ///   - request: its values, bypassed nodes, scene, threads and memory limit count.
  ///   - sampleRate: the sample rate of an assumed source, and of a chain without its own.
  ///   - channels: the number of channels of a source for which the chain gives none.
  package static func check(
    _ request: RenderRequest = RenderRequest(), sampleRate: Double = 48000, channels: Int = 2,
    knowing known: @escaping @Sendable (SourceEndpoint) -> SourceFacts? = { _ in nil }
  ) -> Self {
    var settings = Self(valuesOf: request)
      .assuming(sampleRate: sampleRate, channels: channels, knowing: known)
    settings.environment.fallbackSampleRate = sampleRate
    return settings
  }

  /// Assumes sources without known facts.
  func assuming(
    sampleRate: Double, channels: Int,
    knowing known: @escaping @Sendable (SourceEndpoint) -> SourceFacts? = { _ in nil }
  ) -> Self {
    var settings = self
    settings.environment.sourceFacts = { endpoint in
      known(endpoint)
        ?? SourceFacts(
          StreamFormat(sampleRate: sampleRate, channelCount: endpoint.channels ?? channels),
          .assumed)
    }
    return settings
  }

  /// The settings for blocks that the caller renders, of any length.
  static func blocks(sampleRate: Double, channels: Int, blockSize: Int?) -> Self {
    var settings = check(sampleRate: sampleRate, channels: channels)
    settings.environment.sampleRate = sampleRate
    settings.environment.keepsDry = true
    settings.blockSize = blockSize
    settings.hasWholeBlocks = false
    return settings
  }

  /// The settings for a chain that is read: its sources and sinks are known, but not opened.
  func reading(_ request: RenderRequest, usesDevice: Bool, plays: Bool) -> Self {
    var settings = self
    // Offline, an input needs a file, and the chain reports a missing one.
    settings.environment.recordsUnboundInput =
      request.live.captureDevice != nil
      || plays && request.inputs.isEmpty && request.outputs["main"] == nil && request.memory == nil
    if usesDevice { settings.environment.keepsDry = true }
    settings.joinsBlocks =
      !usesDevice && blockSize == nil && request.replay == nil && !takesFingerprints
      && !measuresNodes
    return settings
  }

  /// The settings for opened sources.
  ///
  /// - Parameter recorded: the format of the device that records a source; nil if it is unknown.
  func knowing(
    _ sources: OpenedSources, _ request: RenderRequest,
    recorded: @escaping @Sendable (SourceEndpoint) -> StreamFormat?
  ) -> Self {
    var settings = self
    settings.environment.sourceFacts = { endpoint in
      guard request.records(endpoint) else { return sources.facts(of: endpoint) }
      return recorded(endpoint).map { SourceFacts($0, .endless) }
    }
    return settings
  }

  /// The settings for opened devices.
  ///
  /// - Parameter outline: the chain, built for what was asked of the devices.
  func playing(
    _ request: RenderRequest, _ outline: CompiledChain, _ devices: ChainDevices,
    on opened: OpenedDevices, _ sources: OpenedSources
  ) -> Self {
    let (formats, live, device) = (opened.recordedFormats, request.live, opened.main)
    var settings = knowing(sources, request) { formats[live.recordingDevice($0)] }
    settings.environment.sampleRate = device.sampleRate
    settings.environment.recordsUnboundInput = devices.capture != nil
    settings.isLive = true
    if !areThreadsRequested, !live.processors.isEmpty {
      settings.threads = min(live.processors.count, threads)
    }
    settings.blockSize =
      blockSize ?? outline.built.blockSize
      ?? min(
        (device.playback ?? device.capture)?.periodFrameCount ?? CompiledChain.defaultBlockSize,
        ChainFormat.blockSizes.upperBound)
    for sink in devices.sinks {
      let port = outline.plan.sinks[sink]
      guard let endpoint = outline.endpoint(ofSink: port) else { continue }
      settings.sinkWidths[endpoint] = ChainDevices.width(of: port)
    }
    return settings
  }
}
