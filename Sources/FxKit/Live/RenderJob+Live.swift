import CRealtime
import FxAudio
import FxChain
import FxEngine
import FxPlaying

extension RenderJob {
  /// Plays on the chain's devices and records from them, and writes the chain's files. `look` is
  /// called on this thread when playback starts, about ten times a second, and at the end.
  /// `waiting` is called about ten times a second until the device is there.
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
    // Must come before the first thread: threads that start later then share one arena.
    fx_keep_freed_memory()
    defer { fx_return_freed_memory() }
    let length = try options(for: compiled).length
    var notices: [DeviceNotice] = []
    func report(_ happened: DeviceNotice) {
      if notices.count < RenderReport.rememberedEventCount { notices.append(happened) }
      notice?(happened)
    }
    let opened = try open(waitsForReturn: length == .endless) { asked throws(ChainFailure) in
      try waitForDevice(asked, control, stop, waiting, report: report)
    }
    let device = opened.main
    var settings = settings(for: opened)
    settings.note(into: files.texts)
    settings.recording = recordingLatency(device)
    settings.playedSink = devices.playback?.index
    settings.roundTrip =
      settings.recording?.frames ?? (compiled.usesRoundTrip ? roundTrip(device) : nil) ?? 0
    let following = try opened.following(blockFrameCount: settings.blockSize)
    let live = try outline(for: opened, settings).completed(
      catalog: UnitLibrary.shared, settings: settings)
    if request.live.rest != nil, let restless = live.restless { throw .noTransport(restless) }
    let feeds = try feeds(for: live)
    let options = try options(for: live)
    let sequencer = try sequencer(for: live, control)
    defer { sequencer?.stop() }
    var events: [RenderingEvent] = []
    for difference in opened.differences { report(DeviceNotice(differing: difference)) }
    stop.hear()
    // A device without a clock is recognized only when it has taken more than its buffer.
    let buffer = max(device.playback?.bufferFrameCount ?? 0, device.capture?.bufferFrameCount ?? 0)
    let opening = OutputOpening(stop: stop, report: report)
    let sinks = try sinks(
      for: live, devices: devices.sinks, blockFrameCount: max(live.blockSize, buffer / 2),
      opening: opening)
    let destinations = sinks.enumerated().map { index, feed -> LiveDriver.Destination in
      if let feed { return .feed(feed) }
      if let follower = following.first(where: { $0.sink == index }) {
        return .following(follower.device)
      }
      return index == devices.playback?.index ? .device : .none
    }
    let log = try logWriter(for: live, opening)
    do throws(Failure) {
      let driver = try LiveDriver(
        live.program(startFrame: startFrame(live), isInteractive: true), sources: feeds,
        device: device, sinks: destinations,
        recorders: following.filter { $0.sink == nil }.map { ($0.device, $0.sources) },
        options: options)
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
      // The last frame; nil if the run fails, for example because the device is lost.
      var end: Int?
      defer { session.endLog(at: end ?? driver.frameCount) }
      reportBuffering(feeds, report)
      var report = try driver.run(stop: stop.flag, wakeEvent: control.wakeEvent) {
        progress?(RenderingProgress($0, rate))
      } event: {
        // During a crossfade, the graph has the nodes of both chains.
        let happened = RenderingEvent($0, in: driver.program.graph.graph, sampleRate: rate)
        if events.count < RenderReport.rememberedEventCount { events.append(happened) }
        event?(happened)
      } deviceEvent: {
        session.snapshots.receive($0, count: $1, fromMain: $2 === device)
        report(DeviceNotice($0, count: $1, of: $2))
      } fileEvent: {
        report(DeviceNotice($0, sampleRate: rate))
      } streamEvent: {
        report(DeviceNotice($0, sampleRate: rate))
      } filling: {
        reportStreams(nil, report)
      } look: {
        reportStreams(feeds, report)
        session.poll()
        look?(session)
      }
      end = report.mainFrameCount
      report.warnings += try recordingRemarks()
      report.warnings += roundTripWarnings(live, settings.recording, report, device)
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

  /// The feed of the main source.
  private func mainFeed(_ live: CompiledChain, _ feeds: [SourceFeed?]) -> SourceFeed? {
    mainSource(of: live).flatMap { feeds[$0] }
  }

  /// Opens the MIDI inputs of the chain's nodes; nil if there are none.
  private func sequencer(
    for live: CompiledChain, _ control: LiveControl
  ) throws(ChainFailure) -> MIDISequencer? {
    let inputs = live.midiInputs
    guard !inputs.isEmpty else { return nil }
    do throws(Failure) {
      return try MIDISequencer(inputs) { control.receive($0) }
    } catch {
      throw ChainFailure(error, .device)
    }
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
    following = live.following.map(RenderSummary.FollowingDevice.init)
  }
}

extension RenderSummary.FollowingDevice {
  init(_ device: RenderReport.Following) {
    self.device = device.name
    isRecording = device.direction == .capture
    settings = RenderSummary.DeviceSettings(device.agreement)
    driftPartsPerMillion = device.driftPartsPerMillion
    latencySeconds = device.latency
    xruns = device.xrunCount
    gaps = device.gapCount
    suspensions = device.suspendCount
    returns = device.returnCount
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
