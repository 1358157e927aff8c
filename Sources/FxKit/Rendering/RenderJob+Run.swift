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
    let (compiled, found) = try measured(stop, progress)
    let feeds = try feeds(for: compiled)
    let options = try options(for: compiled)
    let changes = try replayedChanges(in: compiled)
    stop.hear()
    let opening = OutputOpening(stop: stop) { notice?($0) }
    let sinks = try sinks(
      for: compiled, found, blockFrameCount: compiled.renderSize,
      writesSoon: feeds.contains { $0?.isStream == true }, opening: opening
    ).compactMap { $0 }
    var notices: [DeviceNotice] = []
    func reportStreams() {
      self.reportStreams(nil) { happened in
        if notices.count < RenderReport.rememberedEventCount { notices.append(happened) }
        notice?(happened)
      }
    }
    let report: RenderReport
    let program = compiled.program(
      startFrame: startFrame(compiled), isInteractive: request.replay != nil)
    do throws(Failure) {
      try checkLengths(sinks, options, feeds)
      let driver = try OfflineDriver(
        program, sources: feeds.compactMap { $0 }, sinks: sinks, options: options,
        changes: changes, transport: replayedTransport(compiled))
      let rate = compiled.sampleRate
      report = try driver.run(stop: stop.flag) {
        reportStreams()
        progress?(RenderingProgress($0, rate))
      }
      reportStreams()
    } catch {
      for sink in sinks { _ = try? sink.abandon(keepingPartial: false) }
      reportStreams()
      _ = try? finishRecording()
      throw ChainFailure(error, kind(of: error, feeds))
    }
    let remarks = try finishRecording()
    if let fault = report.fault {
      throw ChainFailure(
        RenderingEvent(fault, in: compiled.resolved.graph, sampleRate: compiled.sampleRate))
    }
    var replayed = report
    replayed.warnings += remarks + replayWarnings + compiled.measuringRemarks
    if let shortfall = shortfall(of: report, compiled) { replayed.warnings.append(shortfall) }
    var summary = summary(
      of: replayed, compiled, program.nodeCosts(of: compiled), program.readings(of: compiled),
      measured: found, notices, opening: opening)
    summary.stepCosts = program.stepCosts
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
  func startFrame(_ compiled: CompiledChain) -> Int {
    Int((request.startSeconds(sampleRate: compiled.sampleRate) * compiled.sampleRate).rounded())
  }

  /// Whether the error is about reading or about writing.
  func kind(of error: Failure, _ feeds: [SourceFeed?]) -> ChainFailure.Kind {
    feeds.contains { $0?.name == error.path } ? .input : .output
  }

  func summary(
    of report: RenderReport, _ compiled: CompiledChain, _ nodeCosts: [NodeCost],
    _ readings: [LiveReading], measured found: Measurements = [:], _ notices: [DeviceNotice] = [],
    _ reported: [RenderingEvent]? = nil, opening: OutputOpening
  ) -> RenderSummary {
    let events =
      reported
      ?? report.events.map {
        RenderingEvent($0, in: compiled.resolved.graph, sampleRate: compiled.sampleRate)
      }
    // A live performance has already reported them.
    let limits = report.live == nil ? events.filter { $0.kind == .latencyLimit } : []
    var summary = RenderSummary(
      outputs: zip(report.sinks, compiled.plan.sinks).enumerated().map { index, output in
        let (sink, port) = output
        return RenderSummary.Output(
          name: sink.partialPath ?? sink.name, isPartial: sink.partialPath != nil,
          peak: sink.statistics.peak, loudness: sink.statistics.loudness,
          clippedSamples: sink.statistics.clippedSampleCount,
          isBeforeEncoding: sink.statistics.isBeforeEncoding,
          nonFiniteSamples: sink.statistics.nonFiniteSampleCount,
          frames: sink.statistics.frameCount, channels: port.buffers.count,
          normalization: normalization(ofSink: index, compiled, found),
          overrunFrames: sink.overrunFrameCount,
          gaps: sink.gaps.map { RenderSummary.Gap(frame: $0.frame, frames: $0.frameCount) },
          parts: opening.parts(ofSink: index),
          takes: sink.takes?.map {
            RenderSummary.Take(
              startFrame: $0.startFrame, fileFrame: $0.fileFrame, frames: $0.frameCount ?? 0)
          })
      },
      live: report.live.map(RenderSummary.Live.init), sampleRate: compiled.sampleRate,
      blockSize: compiled.blockSize, frames: report.outputFrameCount,
      tailFrames: report.tailFrameCount, tailPolicy: tail(of: compiled).policy,
      tailWasCut: report.tailWasCut, latencyFrames: compiled.latency,
      elapsedSeconds: report.elapsed, processorSeconds: report.processorTime,
      pageFaults: report.pageFaultCount, wasStopped: report.wasStopped,
      warnings: opening.warnings + report.warnings + limits.map(\.description)
        + report.sinks.compactMap { loudness($0.partialPath ?? $0.name, $0.statistics.peak) },
      faults: events.filter(\.isFault), latencyChanges: events.filter { !$0.isFault },
      deviceNotices: notices, nodeCosts: nodeCosts, readings: readings,
      recovered: opening.recovered.map {
        RenderSummary.Recovered(name: $0.path, seconds: $0.seconds)
      })
    summary.threadTimes = report.threadTimes
    summary.regions = playedRegions(compiled, frameCount: report.outputFrameCount)
    return summary
  }
}

extension RenderingProgress {
  init(_ progress: RenderProgress, _ sampleRate: Double, isMeasuring: Bool = false) {
    self.init(
      frames: progress.frameCount, totalFrames: progress.total, elapsedSeconds: progress.elapsed,
      sampleRate: sampleRate, isMeasuring: isMeasuring)
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
    defer { control.end() }
    return try RenderJob(self, request, stop: stop).play(
      stop: stop, control: control, progress: progress, event: event, device: device,
      change: change, region: region, look: metering.map { metering in { metering.look(at: $0) } })
  }
}
