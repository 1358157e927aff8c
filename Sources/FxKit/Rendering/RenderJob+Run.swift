import FxAudio
import FxChain
package import FxEngine
import FxMedia
import FxPlaying

extension RenderJob {
  /// Renders into files as fast as possible.
  package func render(
    stop: StopSignal = StopSignal(), progress: ((RenderingProgress) -> Void)? = nil,
    notice: ((DeviceNotice) -> Void)? = nil
  ) throws(ChainFailure) -> RenderSummary {
    try renderWithFingerprints(stop: stop, progress: progress, notice: notice).summary
  }

  /// Renders, and returns fingerprints of the nodes too if the request asks for them: by node, in
  /// the plan's order.
  package func renderWithFingerprints(
    stop: StopSignal = StopSignal(), progress: ((RenderingProgress) -> Void)? = nil,
    notice: ((DeviceNotice) -> Void)? = nil
  ) throws(ChainFailure) -> (summary: RenderSummary, fingerprints: [RenderFingerprint]) {
    if let node = compiled.liveNode { throw .liveOnly(node) }
    let (job, found) = try measured(stop, progress)
    return try job.rendered(found, stop, progress, notice)
  }

  /// Renders with the results of the measuring pass.
  private func rendered(
    _ found: Measurements, _ stop: StopSignal, _ progress: ((RenderingProgress) -> Void)?,
    _ notice: ((DeviceNotice) -> Void)?
  ) throws(ChainFailure) -> (summary: RenderSummary, fingerprints: [RenderFingerprint]) {
    let feeds = try feeds()
    let options = try options()
    let changes = try replayedChanges()
    stop.hear()
    let opening = OutputOpening(stop: stop) { notice?($0) }
    let sinks = try sinks(
      found, blockFrameCount: compiled.renderSize,
      writesSoon: feeds.contains { $0?.isStream == true }, opening: opening
    ).compactMap { $0 }
    var notices: [DeviceNotice] = []
    func reportStreams() {
      self.reportStreams(nil) { happened in
        if notices.count < RenderSummary.rememberedEventCount { notices.append(happened) }
        notice?(happened)
      }
    }
    let report: RenderSummary
    let program = compiled.program(
      startFrame: startFrame, isInteractive: request.replay != nil)
    do throws(Failure) {
      try checkLengths(sinks, options, feeds)
      let driver = try OfflineDriver(
        program, sources: feeds.compactMap { $0 }, sinks: sinks, options: options,
        changes: changes, transport: replayedTransport)
      report = try driver.run(stop: stop) {
        reportStreams()
        progress?($0)
      }
      reportStreams()
    } catch {
      for sink in sinks { _ = try? sink.abandon(keepingPartial: false) }
      reportStreams()
      _ = try? finishRecording()
      throw ChainFailure(error, kind(of: error, feeds))
    }
    let remarks = try finishRecording()
    if let fault = report.fault { throw ChainFailure(fault) }
    var replayed = report
    replayed.warnings += remarks + replayWarnings + compiled.measuringRemarks
    if let shortfall = shortfall(of: report) { replayed.warnings.append(shortfall) }
    do throws(Failure) {
      try writeChapters(report, opening)
    } catch {
      throw ChainFailure(error, .output)
    }
    let summary = summary(
      of: replayed, program, of: compiled, measured: found, notices, opening: opening)
    return (summary, program.fingerprints)
  }

  /// Refuses a sound that will not fit into its file, before the start.
  private func checkLengths(
    _ sinks: [SinkFeed], _ options: RenderOptions, _ feeds: [SourceFeed?]
  ) throws(Failure) {
    let expected: Int? =
      switch options.length {
      case .source(let index): feeds[index]?.frameCount
      case .frames(let count): count
      case .endless: nil
      }
    guard let expected else { return }
    for sink in sinks { try sink.check(expected) }
  }

  /// The start position in the files, in the chain's frames. With a loop it is the loop's start,
  /// unless the request says otherwise.
  var startFrame: Int {
    Int((request.startSeconds(sampleRate: compiled.sampleRate) * compiled.sampleRate).rounded())
  }

  /// Whether the error is about reading or about writing.
  func kind(of error: Failure, _ feeds: [SourceFeed?]) -> ChainFailure.Kind {
    feeds.contains { $0?.name == error.path } ? .input : .output
  }

  /// Completes a driver's summary.
  func summary(
    of report: RenderSummary, _ program: RenderProgram, of chain: CompiledChain,
    measured found: Measurements = [:], _ notices: [DeviceNotice], opening: OutputOpening
  ) -> RenderSummary {
    var summary = report
    for index in summary.outputs.indices {
      summary.outputs[index].normalization = normalization(ofSink: index, found)
      summary.outputs[index].parts = opening.parts(ofSink: index)
    }
    // A live performance has already reported them.
    let limits = report.live == nil ? report.events.filter { $0.kind == .latencyLimit } : []
    summary.warnings =
      opening.warnings + report.warnings + limits.map(\.description)
      + report.outputs.compactMap { loudness($0.name, $0.peak) }
    summary.blockSize = compiled.blockSize
    summary.tailPolicy = tail.policy
    summary.latencyFrames = compiled.latency
    summary.deviceNotices = notices
    summary.nodeCosts = program.nodeCosts(of: chain)
    summary.stepCosts = program.stepCosts
    summary.readings = program.readings(of: chain)
    summary.recovered = opening.recovered.map { RenderSummary.Recovered($0) }
    summary.regions = playedRegions(frameCount: report.frames)
    return summary
  }
}

extension ChainFailure {
  /// A fault that ended a render: the plugin's own, or a signal that grows without limit.
  init(_ event: RenderingEvent) {
    let advice =
      event.isOwnFault
      ? "" : ": the signal grows beyond what a sample can hold; look for a loop or gains above 0 dB"
    self.init(
      event.isOwnFault ? .plugin : .chain, codeText: event.kind.rawValue, event.description + advice
    )
  }
}

extension Chain {
  /// Renders into files. All are complete when this returns; after an error none exists.
  ///
  /// - Parameters:
  ///   - request: the inputs, outputs and settings.
  ///   - stop: ends the render early; the part rendered so far stays as `NAME.partial.EXT`.
  ///   - progress: called ten times a second on the calling thread.
  /// - Throws: `ChainFailure`.
  public func render(
    _ request: RenderRequest, stop: StopSignal = StopSignal(),
    progress: ((RenderingProgress) -> Void)? = nil
  ) throws(ChainFailure) -> RenderSummary {
    try RenderJob(self, request, stop: stop).render(stop: stop, progress: progress)
  }

  /// Plays on the sound device that the chain names, or on `default`.
  ///
  /// An unbound input is recorded from the device while the main output plays on it; so is a device
  /// source that the chain names.
  ///
  /// - Parameters:
  ///   - request: the inputs, outputs and settings.
  ///   - stop: ends the performance.
  ///   - control: sends requests to the chain while it plays.
  ///   - progress: called ten times a second on the calling thread.
  ///   - event: called on the calling thread when a node fails or changes its latency.
  ///   - device: called on the calling thread when something happens to the device.
  ///   - change: called on the calling thread when another chain has taken over, or was refused.
  ///   - region: called on the calling thread when a region of a player begins or ends.
  ///   - metering: receives snapshots of the performance.
  /// - Throws: `ChainFailure`, of kind `device` if there is no sound card.
  public func play(
    _ request: RenderRequest, stop: StopSignal = StopSignal(), control: LiveControl = LiveControl(),
    progress: ((RenderingProgress) -> Void)? = nil, event: ((RenderingEvent) -> Void)? = nil,
    device: ((DeviceNotice) -> Void)? = nil, change: ((ChainChange) -> Void)? = nil,
    region: ((RegionEvent) -> Void)? = nil, metering: LiveMetering? = nil
  ) throws(ChainFailure) -> RenderSummary {
    control.enter()
    defer { control.end() }
    return try RenderJob(self, request, stop: stop).play(
      stop: stop, control: control, progress: progress, event: event, device: device,
      change: change, region: region, look: metering.map { metering in { metering.look(at: $0) } })
  }
}
