import CRealtime
package import FxAudio
package import FxEngine
import Glibc
import Synchronization

/// Renders to a sound device, whose clock sets the pace, on a real-time thread. Files are written
/// at the same time, and the render thread does not wait for them.
package final class LiveDriver: @unchecked Sendable {
  // Sendable: start and join pass it from the control thread to the render thread and back.

  /// The destination of a sink of the plan.
  package enum Destination {
    /// The device that sets the pace; at most one sink has it.
    case device
    case following(FollowingDevice)
    case feed(SinkFeed)
    /// Rendered and discarded.
    case none

    var feed: SinkFeed? {
      if case .feed(let feed) = self { feed } else { nil }
    }
    var following: FollowingDevice? {
      if case .following(let device) = self { device } else { nil }
    }
  }

  /// The program that plays now or from the next block on.
  package var program: RenderProgram { exchange.current }
  let sources: SourceBank
  package let device: SoundDevice
  let destinations: [Destination]
  /// nil if nothing is played.
  let deviceSink: Int?
  let outputStage: OutputStage
  let levels: LiveLevels
  let exchange: ProgramExchange
  /// nil if only one thread renders.
  let helpers: LiveHelpers?
  /// True if the render thread has real-time scheduling.
  private(set) var isRealtime = false
  let options: RenderOptions
  let capture: CaptureRoute
  /// The other recording devices, with the sources that each of them records.
  let recorders: [(device: FollowingDevice, sources: [Int])]
  let following: Following
  /// Sends requests to the render thread: pause, jump, volume and mute.
  package let transport: TransportController
  let framesDone = Atomic<Int>(0)
  let isStopping = Atomic<Bool>(false)
  /// The channels that the render thread plays; `heard` holds them after volume and mute.
  let outputs: Outputs
  let heard: PlanarBuffer
  var figures = LiveFigures()
  let measures = LiveMeasures.make()
  /// Whether everything has been rendered and delivered, and the device only has to play it.
  let ending = Atomic<Int>(Ending.none.rawValue)

  enum Ending: Int {
    case none, begun, failed
  }
  private var supervisor: Supervisor
  /// The program's `tailRevision` that the tail was last computed for.
  private var tailRevision: Int?
  private let startFrame: Int
  let hasEnded = Atomic<Bool>(false)
  /// By device; for the thread of `run`.
  private var limiters: [ObjectIdentifier: DeviceEventLimiter] = [:]

  /// Feeds and destinations have the order of the plan's sources and sinks. A source without a feed
  /// is recorded, by the device or by one of `recorders`. The program runs at the device's rate;
  /// blocks of the device's period give the lowest latency.
  package init(
    _ program: RenderProgram, sources: [SourceFeed?], device: SoundDevice,
    sinks destinations: [Destination],
    recorders: [(device: FollowingDevice, sources: [Int])] = [],
    options: RenderOptions = RenderOptions()
  ) throws(Failure) {
    let helperCount = program.configuration.threadCount - 1
    exchange = ProgramExchange(program, helperCount: helperCount)
    helpers = helperCount > 0 ? LiveHelpers(exchange.slot) : nil
    self.device = device
    self.destinations = destinations
    self.options = options
    startFrame = program.configuration.startFrame
    supervisor = Supervisor(program)
    self.sources = try SourceBank(program, sources)
    transport = TransportController(self.sources.feeds, sampleRate: program.sampleRate)
    let devices = destinations.indices.filter { index in
      if case .device = destinations[index] { true } else { false }
    }
    guard devices.count == (device.playback == nil ? 0 : 1),
      devices.allSatisfy(program.sinkWidths.indices.contains)
    else {
      throw .device(device.name, "exactly one sink of the chain can be the sound device")
    }
    deviceSink = devices.first
    self.recorders = recorders
    following = Following(destinations, recorders, program)
    capture = CaptureRoute(
      self.sources, device, following: recorders,
      lateness: program.plan.sinks.map(\.lateness).max() ?? 0)
    guard capture.isEmpty == (device.capture == nil) else {
      throw .device(
        device.name, "the recording device and the chain's recorded sources do not match", .capture)
    }
    let width = deviceSink.map { program.sinkWidths[$0] } ?? 0
    guard program.sampleRate == device.sampleRate, width == device.format.channelCount else {
      throw .device(
        device.name,
        "the sound device '\(device.name)' runs at \(device.sampleRate) Hz with "
          + "\(device.format.channelCount) channels, the chain at \(program.sampleRate) Hz with "
          + "\(width)")
    }
    if case .source(let index) = options.length,
      !sources.indices.contains(index) || sources[index] == nil
    {
      throw Failure(
        .unsupportedFormat, "", "nothing says how long to play: no source; give a duration")
    }
    outputStage = try OutputStage.make(
      program, destinations.map(\.feed), tail: options.tail, asksForTail: true)
    levels = .make(program)
    outputs = Outputs(program, (deviceSink.map { [$0] } ?? []) + following.sinks)
    heard = PlanarBuffer(channelCount: outputs.count, frameCount: program.maximumFrameCount)
  }

  deinit {
    outputStage.destroy()
    outputs.destroy()
    levels.destroy()
    capture.destroy()
    measures.destroy()
    following.destroy()
  }

  /// Plays to the end, or until `stop`, which fades out within a hundredth of a second. A stop
  /// leaves files as `NAME.partial.EXT`, unless the sound has no end of its own.
  ///
  /// All callbacks run on this thread. `event` reports units that fail or change their latency.
  /// `deviceEvent` reports events of a device, with the number of equal events in a row.
  /// `fileEvent` reports files that do not keep up, `streamEvent` reports streams. `filling` is
  /// called while sources are filled before the start. `look` is called for each signal of
  /// `wakeEvent`, and ten times a second.
  package func run(
    stop: StopSignal = StopSignal(), wakeEvent: WakeEvent = WakeEvent(),
    progress: ((RenderingProgress) -> Void)? = nil,
    event: ((RenderingEvent) -> Void)? = nil,
    deviceEvent: ((DeviceEvent, Int, SoundDevice) -> Void)? = nil,
    fileEvent: ((FileEvent) -> Void)? = nil, streamEvent: ((StreamEvent) -> Void)? = nil,
    filling: (() -> Void)? = nil, look: (() -> Void)? = nil
  ) throws(Failure) -> RenderSummary {
    var report = RenderSummary()
    // Without filled sources, playback would start with dropouts.
    for feed in sources.feeds {
      while !feed.isReady, !stop.isStopped {
        feed.wait(frameCount: Int.max, seconds: 0.1)
        filling?()
      }
    }
    isStopping.store(stop.isStopped, ordering: .relaxed)
    if let error = sourceFailure {
      _ = abandon(keepingPartial: false)
      throw error
    }
    let locked = fx_lock_memory()
    if locked != 0 {
      report.warnings.append(
        "memory cannot be locked (\(Failure.systemMessage(locked))): expect dropouts under load; "
          + "raise 'memlock' in /etc/security/limits.d")
    }
    defer { if locked == 0 { fx_unlock_memory() } }
    try following.start()
    defer { following.finish() }
    let start = fx_monotonic_seconds()
    let processorStart = fx_processor_seconds()
    let (thread, isRealtime) = try startThread(wakeEvent.wakeup, &report.warnings)
    self.isRealtime = isRealtime
    startHelpers(for: program)
    var watchdog = Watchdog()
    var files = FileOverrunMonitor(destinations.compactMap(\.feed))
    var streams = StreamGapMonitor(sources.feeds)
    var late = LateSourceMonitor(sources.feeds)
    var hangsAtEnd = false
    while true {
      wakeEvent.wait(seconds: 0.1)
      if hasEnded.load(ordering: .acquiring) { break }
      if watchdog.hangs(
        at: progressCount,
        isStopping: isStopping.load(ordering: .relaxed), buffer: device.bufferSeconds)
      {
        // A call into the device's driver never returned. Its thread may still use these objects,
        // so they stay allocated.
        thread.forget()
        helpers?.forget()
        _ = Unmanaged.passRetained(self)
        _ = Unmanaged.passRetained(wakeEvent)
        if ending.load(ordering: .acquiring) != Ending.none.rawValue {
          hangsAtEnd = true
          break
        }
        _ = abandon(keepingPartial: true)
        throw device.hang
      }
      answerForTail()
      progress?(
        RenderingProgress(
          frames: framesDone.load(ordering: .relaxed), totalFrames: expectedFrameCount,
          elapsedSeconds: fx_monotonic_seconds() - start, sampleRate: program.sampleRate))
      if stop.isStopped || following.loss != nil { endEarly() }
      look?()
      attend(&report, event)
      reportEvents(deviceEvent)
      files.look(fileEvent)
      streams.look(streamEvent)
      late.look(streamEvent)
    }
    thread.join()
    helpers?.join()
    following.finish()
    // Frames that did not fit into the files yet: a slow disk delays this thread, not the device.
    let piece = min(program.maximumFrameCount, outputStage.pieceFrameCount)
    while !outputStage.release(), outputStage.waitForRoom(frameCount: piece) {}
    look?()
    attend(&report, event)
    reportEvents(isEnd: true, deviceEvent)
    late.look(isEnd: true, streamEvent)
    report.wasStopped = figures.wasStopped
    if hangsAtEnd || ending.load(ordering: .acquiring) == Ending.failed.rawValue {
      report.warnings.append(device.endingWarning(isHanging: hangsAtEnd))
    }
    if figures.isDeviceLost || following.loss != nil {
      // A sound without an end of its own is complete at any time.
      if expectedFrameCount == nil {
        for destination in destinations { try? destination.feed?.finish() }
      } else {
        _ = abandon(keepingPartial: true)
      }
      throw following.loss ?? device.loss
    }
    try complete(&report)
    report.elapsedSeconds = fx_monotonic_seconds() - start
    report.processorSeconds = fx_processor_seconds() - processorStart
    return report
  }

  private func endEarly() {
    isStopping.store(true, ordering: .relaxed)
    device.stopWaiting()
    following.stopWaiting()
  }

  /// True if a sink is a recording that can be started and stopped. On the thread of `run`.
  package func isRecordable(_ sink: Int) -> Bool { destinations[sink].feed?.recording != nil }

  /// Starts or stops a recording with the next rendered frame.
  package func record(_ starts: Bool, sink: Int) { destinations[sink].feed?.record(starts) }

  // MARK: Another program

  /// Replaces the program between two blocks by one with the same sources and sinks. False while
  /// the render thread has not received the previous one. On the thread of `run`.
  package func replace(with program: RenderProgram) -> Bool {
    startHelpers(for: program)
    guard exchange.send(program) else { return false }
    exchange.retire()
    supervisor = Supervisor(program, after: supervisor)
    tailRevision = nil
    outputStage.tailMayChange()
    return true
  }

  /// True when the render thread has received the latest program.
  package var isReplaced: Bool {
    let isTaken = exchange.isTaken
    exchange.retire()
    return isTaken
  }

  /// Answers the render thread's question about the tail, for the parameter values at that frame.
  /// During a crossfade between chains the question stays open.
  private func answerForTail() {
    let program = program
    guard let question = outputStage.tailQuestion, !program.isCrossfade else { return }
    var end = 0
    if program.tailRevision != tailRevision {
      end = question.frame + program.tail(from: startFrame + question.frame).declaredFrames
      tailRevision = program.tailRevision
    }
    outputStage.answer(question, until: end)
  }

  private func attend(_ report: inout RenderSummary, _ event: ((RenderingEvent) -> Void)?) {
    guard supervisor.hasNews else { return }
    let events = supervisor.attend(now: fx_monotonic_seconds())
    report.remember(events)
    if let event { events.forEach(event) }
  }

  /// - Parameter isEnd: also reports the events that wait for the next second.
  private func reportEvents(
    isEnd: Bool = false, _ report: ((DeviceEvent, Int, SoundDevice) -> Void)?
  ) {
    let now = fx_monotonic_seconds()
    for device in [device] + following.devices.map(\.device) {
      let tell = { (event: DeviceEvent, count: Int) in
        report?(event, count, device)
        return ()
      }
      var limiter = limiters[ObjectIdentifier(device)] ?? DeviceEventLimiter()
      while let event = device.nextEvent() { limiter.take(event, tell) }
      if isEnd { limiter.flush(tell) } else { limiter.look(at: now, tell) }
      limiters[ObjectIdentifier(device)] = limiter
    }
  }

  /// True when a sink of the chain is a device.
  package var playsOnDevice: Bool { deviceSink != nil }

  /// Frames rendered so far. Changes before that frame can be polled. From any thread.
  package var frameCount: Int { framesDone.load(ordering: .acquiring) }

  /// A number that grows while the render thread is alive, even while it waits for its device. From
  /// any thread.
  package var progressCount: Int {
    framesDone.load(ordering: .relaxed) &+ device.attemptCount
  }

  /// nil if the sound has no end of its own.
  var expectedFrameCount: Int? {
    switch options.length {
    case .source(let index): sources.feedOfSource[index]?.frameCount
    case .frames(let count): count
    case .endless: nil
    }
  }

  /// Why a source ended early, once all of its sound was taken.
  var sourceFailure: Failure? {
    sources.feeds.lazy.compactMap { $0.isExhausted ? $0.error : nil }.first
  }

  func abandon(keepingPartial: Bool) -> [String?] {
    destinations.map { destination in
      guard let feed = destination.feed else { return nil }
      return (try? feed.abandon(keepingPartial: keepingPartial)) ?? nil
    }
  }
}
