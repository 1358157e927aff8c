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
    control.enter()
    defer { control.end() }
    guard isLive else {
      guard request.live.log == nil else { throw .nothingToLog }
      return try render(stop: stop, progress: progress, notice: notice)
    }
    guard request.replay == nil else { throw .replayIsLive }
    // Must come before the first thread: threads that start later then share one arena.
    fx_keep_freed_memory()
    defer { fx_return_freed_memory() }
    let length = try options().length
    var notices: [DeviceNotice] = []
    func report(_ happened: DeviceNotice) {
      if notices.count < RenderSummary.rememberedEventCount { notices.append(happened) }
      notice?(happened)
    }
    let opened = try open(waitsForReturn: length == .endless) { asked throws(ChainFailure) in
      try waitForDevice(asked, control, stop, waiting, report: report)
    }
    var settings = compiled.settings.playing(request, compiled, devices, on: opened, sources)
    settings.recording = recordingLatency(opened.main)
    settings.playedSink = devices.playback?.index
    settings.playbackFrames = opened.main.playback?.bufferFrameCount ?? 0
    settings.roundTrip =
      settings.recording?.frames ?? (compiled.usesRoundTrip ? roundTrip(opened.main) : nil) ?? 0
    let following = try opened.following(blockFrameCount: settings.blockSize)
    var live = with(try outline(for: opened, settings).completed())
    if request.live.rest != nil, let restless = live.compiled.restless {
      throw .noTransport(restless)
    }
    let feeds = try live.feeds()
    let options = try live.options()
    let sequencer = try sequencer(for: live.compiled, control)
    defer { sequencer?.stop() }
    for difference in opened.differences { report(DeviceNotice(differing: difference)) }
    stop.hear()
    // A device without a clock is recognized only when it has taken more than its buffer.
    let device = opened.main
    let buffer = max(device.playback?.bufferFrameCount ?? 0, device.capture?.bufferFrameCount ?? 0)
    let opening = OutputOpening(stop: stop, report: report)
    let sinks = try live.sinks(
      devices: devices.sinks, blockFrameCount: max(live.compiled.blockSize, buffer / 2),
      opening: opening)
    let destinations = sinks.enumerated().map { index, feed -> LiveDriver.Destination in
      if let feed { return .feed(feed) }
      if let follower = following.first(where: { $0.sink == index }) {
        return .following(follower.device)
      }
      return index == devices.playback?.index ? .device : .none
    }
    let log = try live.logWriter(opening)
    do throws(Failure) {
      let driver = try LiveDriver(
        live.compiled.program(startFrame: live.startFrame, isInteractive: true), sources: feeds,
        device: device, sinks: destinations,
        recorders: following.filter { $0.sink == nil }.map { ($0.device, $0.sources) },
        options: options)
      let rate = live.compiled.sampleRate
      let session = LiveSession(
        live, driver, control: control, stop: stop, log: log, nodeInputs: sequencer,
        main: live.mainSource.flatMap { feeds[$0] },
        loop: feeds.lazy.compactMap { $0?.loop }.first, reportChange: change,
        reportRegion: region, reportSender: { report(DeviceNotice($0)) })
      // The session has the units of the chain that plays. A node that it gives up can play again elsewhere.
      live = live.with(live.compiled.withoutUnits)
      session.controllers.open()
      defer { session.controllers.end() }
      control.begin()
      // The last frame; nil if the run fails, for example because the device is lost.
      var end: Int?
      defer { session.endLog(at: end ?? driver.frameCount) }
      reportBuffering(feeds, report)
      var report = try driver.run(
        stop: stop, wakeEvent: control.wakeEvent, progress: progress, event: event
      ) {
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
      end = report.mainFrames
      report.warnings += try recordingRemarks()
      report.warnings += live.roundTripWarnings(report, device)
      session.playerControl.end(at: live.startFrame + report.mainFrames)
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
      try live.writeChapters(report, opening)
      return live.summary(
        of: report, driver.program, of: session.live, notices, opening: opening)
    } catch {
      for sink in sinks { _ = try? sink?.abandon(keepingPartial: false) }
      throw ChainFailure(error, kind(of: error, feeds))
    }
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
