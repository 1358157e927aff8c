import FxAudio
import FxChain
import FxEngine
import FxGraph
import FxIO

extension RenderJob {
  /// Renders into files as fast as the machine can.
  package func render(
    stop: StopSignal = StopSignal(), progress: ((RenderingProgress) -> Void)? = nil
  ) throws(ChainFailure) -> RenderSummary {
    if let node = compiled.liveNode { throw .liveOnly(node) }
    let feeds = try feeds(for: compiled)
    let options = try options(for: compiled, feeds: feeds)
    stop.hear()
    let sinks = try sinks(
      for: compiled, device: nil, blockFrameCount: compiled.blockSize
    ).compactMap { $0 }
    let report: RenderReport
    do throws(IOError) {
      let driver = try OfflineDriver(
        compiled.program(startFrame: startFrame(compiled)), sources: feeds, sinks: sinks,
        options: options)
      let rate = compiled.sampleRate
      report = try driver.run(stop: stop.flag) { progress?(RenderingProgress($0, rate)) }
    } catch {
      for sink in sinks { _ = try? sink.abandon(keepingPartial: false) }
      throw ChainFailure(error, kind(of: error, feeds))
    }
    if let fault = report.fault { throw ChainFailure(RenderingEvent(fault, in: compiled)) }
    return summary(of: report, compiled)
  }

  /// Plays on the chain's device, at its rate and in blocks of its period; the chain's files are
  /// written beside it.
  package func play(
    stop: StopSignal = StopSignal(), progress: ((RenderingProgress) -> Void)? = nil,
    event: ((RenderingEvent) -> Void)? = nil
  ) throws(ChainFailure) -> RenderSummary {
    guard let deviceSink else { return try render(stop: stop, progress: progress) }
    let playback = try open(deviceSink)
    let live = try compiledLive(for: playback, deviceSink.index)
    let feeds = try feeds(for: live)
    let options = try options(for: live, feeds: feeds)
    let sequencer = try sequencer(for: live)
    defer { sequencer?.stop() }
    stop.hear()
    // A device without a clock shows itself once it has taken more than its buffer.
    let sinks = try sinks(
      for: live, device: deviceSink.index,
      blockFrameCount: max(live.blockSize, playback.agreement.bufferFrameCount / 2))
    let destinations = sinks.enumerated().map { index, feed -> LiveDriver.Destination in
      if let feed { return .feed(feed) }
      return index == deviceSink.index ? .device : .none
    }
    do throws(IOError) {
      let driver = try LiveDriver(
        live.program(startFrame: startFrame(live), isInteractive: true), sources: feeds,
        device: playback, sinks: destinations, options: options)
      let rate = live.sampleRate
      let report = try driver.run(stop: stop.flag) {
        progress?(RenderingProgress($0, rate))
      } event: {
        event?(RenderingEvent($0, in: live))
      }
      return summary(of: report, live)
    } catch {
      for sink in sinks { _ = try? sink?.abandon(keepingPartial: false) }
      throw ChainFailure(error, kind(of: error, feeds))
    }
  }

  /// Listens to the MIDI that the chain plays live; nil where there is none.
  private func sequencer(for live: CompiledChain) throws(ChainFailure) -> MIDISequencer? {
    let inputs = live.midiInputs
    guard !inputs.isEmpty else { return nil }
    do throws(IOError) {
      return try MIDISequencer(inputs)
    } catch {
      throw ChainFailure(error, .device)
    }
  }

  private func open(_ sink: (index: Int, device: String)) throws(ChainFailure) -> ALSAPlayback {
    do throws(IOError) {
      return try ALSAPlayback(
        sink.device,
        ALSARequest(
          sampleRate: compiled.sampleRate, channelCount: deviceWidth(sink.index),
          periodFrameCount: compiled.blockSize))
    } catch {
      guard case .output(let name) = compiled.endpoint(ofSink: compiled.plan.sinks[sink.index]),
        name != "main"
      else { throw ChainFailure(error, .device) }
      throw ChainFailure(
        .device, code: error.code.rawValue,
        "the chain's output '\(name)' has no file (--output \(name)=FILE) and so is played: "
          + error.description, path: error.path)
    }
  }

  /// Mono sounds on both sides.
  private func deviceWidth(_ sink: Int) -> Int { max(2, compiled.plan.sinks[sink].buffers.count) }

  /// The chain compiled anew for what the device agreed to.
  private func compiledLive(
    for playback: ALSAPlayback, _ sink: Int
  ) throws(ChainFailure) -> CompiledChain {
    var settings = CompiledChain.Settings()
    settings.environment = RenderJob.environment(chain, request, shelf)
    settings.environment.sampleRate = playback.format.sampleRate
    settings.environment.keepsDry = true
    settings.isLive = true
    settings.blockSize =
      request.blockSize ?? compiled.built.blockSize ?? playback.agreement.periodFrameCount
    if let endpoint = compiled.endpoint(ofSink: compiled.plan.sinks[sink]) {
      settings.sinkWidths[endpoint] = deviceWidth(sink)
    }
    return try RenderJob.compile(chain, settings, shelf)
  }

  private func startFrame(_ compiled: CompiledChain) -> Int {
    Int((request.start * compiled.sampleRate).rounded())
  }

  /// Whether the error is about reading or about writing.
  private func kind(of error: IOError, _ feeds: [SourceFeed]) -> ChainFailure.Kind {
    feeds.contains { $0.name == error.path } ? .input : .output
  }

  private func summary(of report: RenderReport, _ compiled: CompiledChain) -> RenderSummary {
    let events = report.events.map { RenderingEvent($0, in: compiled) }
    // Live they have been told as they happened.
    let limits = report.live == nil ? events.filter { $0.kind == .latencyLimit } : []
    return RenderSummary(
      outputs: zip(report.sinks, compiled.plan.sinks).map { sink, port in
        RenderSummary.Output(
          name: sink.partialPath ?? sink.name, isPartial: sink.partialPath != nil,
          peak: sink.statistics.peak, clippedSamples: sink.statistics.clippedSampleCount,
          nonFiniteSamples: sink.statistics.nonFiniteSampleCount,
          frames: sink.statistics.frameCount, channels: port.buffers.count,
          overrunFrames: sink.overrunFrameCount)
      },
      live: report.live.map(RenderSummary.Live.init), sampleRate: compiled.sampleRate,
      blockSize: compiled.blockSize, frames: report.outputFrameCount,
      tailFrames: report.tailFrameCount, tailPolicy: tail(of: compiled).policy,
      tailWasCut: report.tailWasCut, latencyFrames: compiled.latency,
      elapsedSeconds: report.elapsed, processorSeconds: report.processorTime,
      pageFaults: report.pageFaultCount, wasStopped: report.wasStopped,
      warnings: report.warnings + limits.map(\.description)
        + report.sinks.compactMap { loudness($0.partialPath ?? $0.name, $0.statistics.peak) },
      faults: events.filter(\.isFault), latencyChanges: events.filter { !$0.isFault })
  }
}

extension RenderSummary.Live {
  init(_ live: RenderReport.Live) {
    device = live.device
    xruns = live.xrunCount
    suspensions = live.suspendCount
    starvedFrames = live.starvedFrameCount
    periodFrames = live.agreement.periodFrameCount
    bufferFrames = live.agreement.bufferFrameCount
    meanBlockSeconds = live.meanBlockTime
    maximumBlockSeconds = live.maximumBlockTime
    blockSeconds = live.blockDuration
  }
}

extension RenderingProgress {
  init(_ progress: RenderProgress, _ sampleRate: Double) {
    self.init(
      frames: progress.frameCount, totalFrames: progress.total, elapsedSeconds: progress.elapsed,
      sampleRate: sampleRate)
  }
}

extension Chain {
  /// Renders into files. Each is complete when this returns; after an error none is there.
  ///
  /// - Parameters:
  ///   - stop: ends the render early; what there is stays as `NAME.partial.EXT`.
  ///   - progress: called ten times a second on the calling thread.
  /// - Throws: `ChainFailure`.
  public func render(
    _ request: RenderRequest, stop: StopSignal = StopSignal(),
    progress: ((RenderingProgress) -> Void)? = nil
  ) throws(ChainFailure) -> RenderSummary {
    try RenderJob(self, request).render(stop: stop, progress: progress)
  }

  /// Plays on the sound device that the chain names, or on `default`.
  ///
  /// - Parameter event: called on the calling thread when a node fails or changes its latency.
  /// - Throws: `ChainFailure`, of kind `device` where there is no sound card.
  public func play(
    _ request: RenderRequest, stop: StopSignal = StopSignal(),
    progress: ((RenderingProgress) -> Void)? = nil, event: ((RenderingEvent) -> Void)? = nil
  ) throws(ChainFailure) -> RenderSummary {
    try RenderJob(self, request).play(stop: stop, progress: progress, event: event)
  }
}
