import CRealtime
import FxAudio
import FxChain
import FxDevices
import FxDiagnostics
import FxEngine
import FxFrames
import FxGraph
import FxPlaying

extension RenderJob {
  /// Plays on the chain's device and records from it, at its rate and in blocks of its period; the
  /// chain's files are written beside it. `look` is called on this thread as soon as it plays, about
  /// ten times a second, and at its end; `waiting` as often while the device is not there yet.
  package func play(
    stop: StopSignal = StopSignal(), control: LiveControl = LiveControl(),
    progress: ((RenderingProgress) -> Void)? = nil,
    event: ((RenderingEvent) -> Void)? = nil, device notice: ((DeviceNotice) -> Void)? = nil,
    change: ((ChainChange) -> Void)? = nil, region: ((RegionEvent) -> Void)? = nil,
    look: ((LiveSession) -> Void)? = nil,
    waiting: (() -> Void)? = nil
  ) throws(ChainFailure) -> RenderSummary {
    defer { control.end() }
    guard isLive else {
      guard request.live.log == nil else { throw .nothingToLog }
      return try render(stop: stop, progress: progress, notice: notice)
    }
    guard request.replay == nil else { throw .replayIsLive }
    // Before the first thread starts: threads that start later then share one arena.
    fx_keep_freed_memory()
    defer { fx_return_freed_memory() }
    let length = try options(for: compiled).length
    var notices: [DeviceNotice] = []
    func report(_ happened: DeviceNotice) {
      if notices.count < RenderReport.rememberedEventCount { notices.append(happened) }
      notice?(happened)
    }
    let device = try waitForDevice(
      asked(waitsForReturn: length == .endless), control, stop, waiting, report: report)
    var settings = settings(for: device)
    settings.note(into: files.texts)
    settings.recording = recordingLatency(device)
    let live = try outline(for: device, settings).completed(
      catalog: UnitLibrary.shared, settings: settings)
    if request.live.rest != nil, let restless = live.restless { throw .noTransport(restless) }
    let feeds = try feeds(for: live)
    let options = try options(for: live)
    let sequencer = try sequencer(for: live, control)
    defer { sequencer?.stop() }
    var events: [RenderingEvent] = []
    for difference in device.differences { report(DeviceNotice(differing: difference)) }
    stop.hear()
    // A device without a clock shows itself once it has taken more than its buffer.
    let buffer = max(device.playback?.bufferFrameCount ?? 0, device.capture?.bufferFrameCount ?? 0)
    let opening = OutputOpening(stop: stop, report: report)
    let sinks = try sinks(
      for: live, device: deviceSink?.index, blockFrameCount: max(live.blockSize, buffer / 2),
      opening: opening)
    let destinations = sinks.enumerated().map { index, feed -> LiveDriver.Destination in
      if let feed { return .feed(feed) }
      return index == deviceSink?.index ? .device : .none
    }
    let log = try logWriter(for: live, opening)
    do throws(IOError) {
      let driver = try LiveDriver(
        live.program(startFrame: startFrame(live), isInteractive: true), sources: feeds,
        device: device, sinks: destinations, options: options)
      let rate = live.sampleRate
      let session = LiveSession(
        LiveSession.Setup(
          chain: chain, compiled: live, settings: settings, files: files,
          begin: TransportControl.Beginning(
            settings: request.live, startFrame: startFrame(live),
            mainFrameCount: mainFeed(live, feeds)?.wholeFrameCount,
            loop: feeds.lazy.compactMap { $0?.loop }.first, comparesChains: chain.isComparison),
          fileStart: request.start, watchesFiles: request.live.watchesFiles, log: log,
          players: players(of: live), nodeInputs: sequencer, reportChange: change,
          reportRegion: region, reportSender: { report(DeviceNotice($0)) }),
        driver, control: control, stop: stop)
      session.controllers.open()
      defer { session.controllers.end() }
      control.begin()
      // Where the device was lost.
      var end: Int?
      defer { log?.writeEnd(at: startFrame(live) + (end ?? driver.frameCount)) }
      reportBuffering(feeds, report)
      var report = try driver.run(stop: stop.flag, wakeEvent: control.wakeEvent) {
        progress?(RenderingProgress($0, rate))
      } event: {
        // While one chain becomes another, the nodes of both have numbers.
        let happened = RenderingEvent($0, in: driver.program.graph.graph, sampleRate: rate)
        if events.count < RenderReport.rememberedEventCount { events.append(happened) }
        event?(happened)
      } deviceEvent: {
        session.snapshots.receive($0, count: $1)
        report(DeviceNotice($0, count: $1, of: device))
      } fileEvent: {
        report(DeviceNotice($0, sampleRate: rate))
      } streamEvent: {
        report(DeviceNotice($0))
      } filling: {
        reportStreams(nil, report)
      } look: {
        reportStreams(feeds, report)
        session.poll()
        look?(session)
      }
      end = report.mainFrameCount
      report.warnings += try recordingRemarks()
      report.warnings += roundTripWarnings(live, settings.recording, report)
      session.playerControl.end(at: startFrame(live) + report.mainFrameCount)
      if let error = log?.error {
        report.warnings.append("the log of changes is not complete: \(error.description)")
      }
      if let warning = session.controllers.warning { report.warnings.append(warning) }
      let droppedCount = session.controllers.droppedMessageCount
      if droppedCount > 0 {
        report.warnings.append(
          "\(droppedCount) MIDI messages came faster than they could be followed; of each "
            + "controller the newest value was kept")
      }
      return summary(
        of: report, live, driver.program.nodeCosts(of: session.live),
        driver.program.readings(of: session.live), notices, events,
        opening: opening)
    } catch {
      for sink in sinks { _ = try? sink?.abandon(keepingPartial: false) }
      throw ChainFailure(error, kind(of: error, feeds))
    }
  }

  /// The graph that was built at the start, where the device agreed to what it was built for; otherwise
  /// another one of the same texts.
  private func outline(
    for device: SoundDevice, _ settings: CompiledChain.Settings
  ) throws(ChainFailure) -> CompiledChain {
    let asked = device.request.capture?.channelCount ?? 2
    let isAsWide = capture?.sources.allSatisfy { source in
      let port = compiled.plan.sources[source]
      let isSaid = compiled.endpoint(ofSource: port)?.channels != nil
      return (device.capture?.channelCount ?? 0) >= asked
        && (isSaid || port.buffers.count == asked)
    }
    guard device.sampleRate == compiled.sampleRate, isAsWide ?? true else {
      return try CompiledChain(
        outlineOf: builder, catalog: UnitLibrary.shared, settings: settings)
    }
    var built = compiled.built
    built.sampleRate = device.sampleRate
    // Those of layouts are found again.
    let found = Diagnostics(compiled.diagnostics.all.filter { $0.code != .layout })
    return try CompiledChain(
      outlineOf: built, found, catalog: UnitLibrary.shared, settings: settings)
  }

  /// What is read for the main source.
  private func mainFeed(_ live: CompiledChain, _ feeds: [SourceFeed?]) -> SourceFeed? {
    mainSource(of: live).flatMap { feeds[$0] }
  }

  /// Listens to the MIDI that the chain plays live; nil where there is none.
  private func sequencer(
    for live: CompiledChain, _ control: LiveControl
  ) throws(ChainFailure) -> MIDISequencer? {
    let inputs = live.midiInputs
    guard !inputs.isEmpty else { return nil }
    do throws(IOError) {
      return try MIDISequencer(inputs) { control.receive($0) }
    } catch {
      throw ChainFailure(error, .device)
    }
  }

  private func asked(waitsForReturn: Bool) -> SoundDevice.Request {
    let settings = request.live
    var asked = SoundDevice.Request()
    if let deviceSink {
      asked.playback = SoundDevice.End(
        deviceSink.device, channelCount: deviceWidth(deviceSink.index))
      asked.soundChannelCount = compiled.plan.sinks[deviceSink.index].buffers.count
    }
    if let capture {
      let width = capture.sources.map { compiled.plan.sources[$0].buffers.count }.max() ?? 2
      asked.capture = SoundDevice.End(capture.device, channelCount: width)
    }
    let block = request.blockSize ?? compiled.built.blockSize
    asked.sampleRate = compiled.sampleRate
    asked.blockFrameCount = block
    asked.isDithered = request.isDithered
    asked.waitsForReturn = settings.waitsForDevice ?? waitsForReturn
    // Who hears himself wants it soon, who plays a file steadily, and who records does not hear it.
    let (period, periods) =
      capture == nil
      ? (CompiledChain.defaultBlockSize, 3) : deviceSink == nil ? (1024, 4) : (128, 3)
    asked.periodFrameCount = settings.period ?? block ?? period
    asked.periodCount = settings.periods ?? periods
    return asked
  }

  /// Why there is no device, and why one was looked for.
  func failure(_ error: IOError) -> ChainFailure {
    if let deviceSink, error.path == deviceSink.device,
      let name = compiled.endpoint(ofSink: compiled.plan.sinks[deviceSink.index])?.outputName,
      name != "main"
    {
      return ChainFailure(
        .device, code: error.code.rawValue,
        "the chain's output '\(name)' has no file (--output \(name)=FILE) and so is played: "
          + error.description, path: error.path)
    }
    return ChainFailure(error, .device)
  }

  /// Mono sounds on both sides.
  private func deviceWidth(_ sink: Int) -> Int { max(2, compiled.plan.sinks[sink].buffers.count) }

  /// How the chain is compiled for what the device agreed to.
  private func settings(for device: SoundDevice) -> CompiledChain.Settings {
    var settings = CompiledChain.Settings()
    settings.environment = RenderJob.environment(chain, request)
    settings.environment.sampleRate = device.sampleRate
    settings.environment.keepsDry = true
    settings.environment.recordsUnboundInput = capture != nil
    settings.environment.sourceFacts = RenderJob.facts(
      sources, request,
      recorded: device.capture.map { recorded in
        let asked = device.request.capture?.channelCount ?? 2
        return StreamFormat(
          sampleRate: device.sampleRate, channelCount: min(asked, recorded.channelCount))
      })
    settings.isLive = true
    settings.preRoll = request.recording?.preRoll ?? 0
    settings.willReadSound = self.settings.willReadSound
    settings.memoryLimit = request.memoryLimit ?? settings.memoryLimit
    settings.blockSize =
      request.blockSize ?? compiled.built.blockSize
      ?? min(
        (device.playback ?? device.capture)?.periodFrameCount ?? CompiledChain.defaultBlockSize,
        RenderRequest.blockSizes.upperBound)
    if let sink = deviceSink?.index,
      let endpoint = compiled.endpoint(ofSink: compiled.plan.sinks[sink])
    {
      settings.sinkWidths[endpoint] = deviceWidth(sink)
    }
    return settings
  }
}

extension RenderSummary.Live {
  init(_ live: RenderReport.Live) {
    device = live.device
    playback = live.playback.map(RenderSummary.DeviceSettings.init)
    captureDevice = live.captureDevice
    capture = live.capture.map(RenderSummary.DeviceSettings.init)
    differences = live.differences
    roundTripFrames = live.roundTripFrameCount
    removedRoundTripFrames = live.removedRoundTripFrameCount
    driftPartsPerMillion = live.driftPartsPerMillion
    xruns = live.xrunCount + live.captureXrunCount
    captureXruns = live.captureXrunCount
    ownXruns = live.ownXrunCount
    changeXruns = live.changeXrunCount
    gaps = live.gapCount
    latestWakeupSeconds = live.latestWakeup
    suspensions = live.suspendCount
    returns = live.returnCount
    starvedFrames = live.starvedFrameCount
    let agreement = live.playback ?? live.capture
    periodFrames = agreement?.periodFrameCount ?? 0
    bufferFrames = agreement?.bufferFrameCount ?? 0
    meanBlockSeconds = live.meanBlockTime
    maximumBlockSeconds = live.maximumBlockTime
    blockSeconds = live.blockDuration
    let share = live.blockDuration > 0 ? 1 / live.blockDuration : 0
    blockTimes = RenderSummary.BlockTimes(
      p50: live.blockTimes.p50 * share, p99: live.blockTimes.p99 * share,
      p999: live.blockTimes.p999 * share, maximum: live.blockTimes.maximum * share)
    voluntarySwitches = live.threadUse.voluntarySwitchCount
    involuntarySwitches = live.threadUse.involuntarySwitchCount
    otherWaits = live.threadUse.otherWaitCount
  }
}

extension RenderSummary.DeviceSettings {
  init(_ agreement: ALSAAgreement) {
    sampleRate = agreement.sampleRate
    channels = agreement.channelCount
    format = agreement.formatName
    periodFrames = agreement.periodFrameCount
    bufferFrames = agreement.bufferFrameCount
    isMapped = agreement.isMapped
  }
}
