import CRealtime
import FxAudio
package import FxEngine
import Glibc
import Synchronization

/// Renders to a sound device, whose clock sets the pace, on a real-time thread; files are written
/// beside it without waiting for them.
package final class LiveDriver: @unchecked Sendable {
  // Sendable: handed from the control thread to the render thread and back by start and join.

  /// Where a sink of the plan goes.
  package enum Destination {
    /// The device; one of the sinks.
    case device
    case feed(SinkFeed)
    /// Rendered and let go.
    case none

    var feed: SinkFeed? {
      if case .feed(let feed) = self { feed } else { nil }
    }
  }

  package static let priority: Int32 = 70

  let program: RenderProgram
  let sources: SourceBank
  let device: SoundDevice
  let destinations: [Destination]
  /// nil where nothing is played.
  let deviceSink: Int?
  let delivery: Delivery
  let options: RenderOptions
  private let capture: CaptureRoute
  private let framesDone = Atomic<Int>(0)
  private let isStopping = Atomic<Bool>(false)
  private(set) var figures = LiveFigures()
  let measures = LiveMeasures.make()
  /// Whether all has been rendered and handed on, so that the device has only to play it out.
  private let ending = Atomic<Int>(Ending.none.rawValue)

  private enum Ending: Int {
    case none, begun, failed
  }
  private let supervisor: Supervisor

  /// Feeds and destinations in the order of the plan's sources and sinks; a source without a feed is
  /// what the device records. The program runs at the device's rate; blocks of the device's period
  /// make the least latency.
  package init(
    _ program: RenderProgram, sources: [SourceFeed?], device: SoundDevice,
    sinks destinations: [Destination], options: RenderOptions = RenderOptions()
  ) throws(IOError) {
    self.program = program
    self.device = device
    self.destinations = destinations
    self.options = options
    supervisor = Supervisor(program)
    self.sources = try SourceBank(program, sources)
    let devices = destinations.indices.filter { index in
      if case .device = destinations[index] { true } else { false }
    }
    guard devices.count == (device.playback == nil ? 0 : 1),
      devices.allSatisfy(program.sinkWidths.indices.contains)
    else {
      throw .device(device.name, "exactly one sink of the chain can be the sound device")
    }
    deviceSink = devices.first
    capture = CaptureRoute(self.sources, device)
    guard capture.isEmpty == (device.capture == nil) else {
      throw .device(device.name, "nothing records, or what is recorded goes nowhere", .capture)
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
      throw IOError(
        .unsupportedFormat, "", "nothing says how long to play: no source; give a duration")
    }
    delivery = try Delivery.make(program, destinations.map(\.feed), tail: options.tail)
  }

  deinit {
    delivery.destroy()
    capture.destroy()
    measures.destroy()
  }

  /// Plays to the end, or until `stop`, which fades out within a hundredth of a second. A stop
  /// leaves files as `NAME.partial.EXT`, unless the sound has no end of its own. `event` hears of
  /// units that fail or change their latency, `deviceEvent` of the device and how often the same
  /// happened in a row, as it happens, on this thread.
  package func run(
    stop: StopFlag = StopFlag(), progress: ((RenderProgress) -> Void)? = nil,
    event: ((RenderEvent) -> Void)? = nil, deviceEvent: ((DeviceEvent, Int) -> Void)? = nil
  ) throws(IOError) -> RenderReport {
    var report = RenderReport()
    // A start without waiting is a start with dropouts.
    for feed in sources.feeds {
      while !feed.isReady, !stop.isStopped { feed.wait(frameCount: Int.max, seconds: 0.1) }
    }
    isStopping.store(stop.isStopped, ordering: .relaxed)
    if let error = sources.feeds.lazy.compactMap(\.error).first {
      _ = abandon(keepingPartial: false)
      throw error
    }
    let locked = fx_lock_memory()
    if locked != 0 {
      report.warnings.append(
        "memory cannot be locked (\(IOError.systemMessage(locked))): expect dropouts under load; "
          + "raise 'memlock' in /etc/security/limits.d")
    }
    defer { if locked == 0 { munlockall() } }
    let start = fx_monotonic_seconds()
    let processorStart = fx_processor_seconds()
    let ended = Wakeup.make()
    let (thread, isRealtime) = try startThread(ended, &report.warnings)
    var watchdog = Watchdog()
    var hangsAtEnd = false
    while !ended.wait(seconds: 0.1) {
      let attempts = device.attempts.load(ordering: .relaxed)
      if watchdog.hangs(
        at: framesDone.load(ordering: .relaxed) &+ attempts,
        isStopping: isStopping.load(ordering: .relaxed), buffer: device.bufferSeconds)
      {
        // The device's driver never came back from a call. Everything that it may still touch
        // stays as it is.
        thread.forget()
        _ = Unmanaged.passRetained(self)
        if ending.load(ordering: .acquiring) != Ending.none.rawValue {
          hangsAtEnd = true
          break
        }
        _ = abandon(keepingPartial: true)
        throw device.hang
      }
      progress?(
        RenderProgress(
          frameCount: framesDone.load(ordering: .relaxed), total: expectedFrameCount,
          elapsed: fx_monotonic_seconds() - start))
      if stop.isStopped {
        isStopping.store(true, ordering: .relaxed)
        device.isStopping.store(true, ordering: .relaxed)
      }
      attend(&report, event)
      tellEvents(deviceEvent)
    }
    thread.join()
    attend(&report, event)
    tellEvents(deviceEvent)
    if !hangsAtEnd { ended.destroy() }
    report.wasStopped = figures.wasStopped
    if hangsAtEnd || ending.load(ordering: .acquiring) == Ending.failed.rawValue {
      report.warnings.append(device.endingWarning(isHanging: hangsAtEnd))
    }
    if figures.isDeviceLost {
      // What has no length of its own is complete at any time.
      if expectedFrameCount == nil {
        for destination in destinations { try? destination.feed?.finish() }
      } else {
        _ = abandon(keepingPartial: true)
      }
      throw device.loss
    }
    try complete(&report, isRealtime: isRealtime)
    report.elapsed = fx_monotonic_seconds() - start
    report.processorTime = fx_processor_seconds() - processorStart
    return report
  }

  private func attend(_ report: inout RenderReport, _ event: ((RenderEvent) -> Void)?) {
    guard supervisor.hasNews else { return }
    let events = supervisor.attend(now: fx_monotonic_seconds())
    report.remember(events)
    if let event { events.forEach(event) }
  }

  private func tellEvents(_ tell: ((DeviceEvent, Int) -> Void)?) {
    var last: DeviceEvent?
    var count = 0
    while true {
      let event = device.events.next()
      if event != last || event == nil {
        if let last { tell?(last, count) }
        count = 0
      }
      guard let event else { return }
      last = event
      count += 1
    }
  }

  /// nil for what has no end of its own.
  var expectedFrameCount: Int? {
    switch options.length {
    case .source(let index): sources.feedOfSource[index]?.frameCount
    case .frames(let count): count
    case .endless: nil
    }
  }

  func abandon(keepingPartial: Bool) -> [String?] {
    destinations.map { destination in
      guard let feed = destination.feed else { return nil }
      return (try? feed.abandon(keepingPartial: keepingPartial)) ?? nil
    }
  }

  /// The render thread.
  func play() {
    _ = fx_flush_denormals()
    fx_prefault_stack()
    let block = program.maximumFrameCount
    let outputs = Outputs(program, deviceSink)
    defer { outputs.destroy() }
    var cycle = LiveCycle(
      renderer: program.renderer, delivery: delivery, frameCount: block, mainSource: -1)
    switch options.length {
    case .source(let index): cycle.mainSource = index
    case .frames(let count): delivery.endMain(at: max(count, 0))
    case .endless: break
    }
    var now = LiveFigures()
    var fade = FadeOut(frameCount: Int(program.sampleRate / 100))
    // A source that is late has so long before the device's buffer runs low. A device without a
    // clock takes everything at once and is held back by this alone.
    let buffer = (device.playback ?? device.capture)?.bufferFrameCount ?? block
    let patience = Double(max(buffer - block, block)) / program.sampleRate / 2
    now.isDeviceLost = !device.start()
    while !delivery.isComplete, !now.isDeviceLost {
      let isStopped = isStopping.load(ordering: .relaxed)
      if !isStopped {
        for feed in sources.feeds { feed.wait(frameCount: block, seconds: patience) }
        // What has no clock can wait for all files as well.
        if !device.isPaced { waitForFiles(block) }
      }
      guard capture.read(frameCount: block, end: delivery.mainFrameCount, at: cycle.frame) else {
        now.isDeviceLost = true
        break
      }
      let start = fx_monotonic_seconds()
      now.starvedFrameCount += cycle.run(sources)
      if isStopped { fade.apply(to: outputs, frameCount: block) }
      let spent = fx_monotonic_seconds() - start
      device.note(blockTook: spent, frameCount: block)
      now.blockCount += 1
      now.totalBlockTime += spent
      now.maximumBlockTime = max(now.maximumBlockTime, spent)
      measures.blockTimes.record(spent)
      now.renderedFrameCount = cycle.frame
      if now.blockCount == 2 { measures.begin(deviceWaits: device.waitCount) }
      framesDone.store(cycle.frame, ordering: .relaxed)
      if deviceSink != nil, !device.write(outputs.channels, frameCount: block) {
        now.isDeviceLost = true
        break
      }
      if isStopped, fade.isDone || deviceSink == nil {
        now.wasStopped = true
        break
      }
    }
    if now.blockCount > 2 { measures.end(deviceWaits: device.waitCount) }
    let hasDevice = !now.isDeviceLost
    if now.isDeviceLost, isStopping.load(ordering: .relaxed) {
      // Who has asked for the end need not hear that there was no device for it.
      now.isDeviceLost = false
      now.wasStopped = true
    }
    let piece = min(block, delivery.pieceFrameCount)
    while !delivery.release(), delivery.waitForRoom(frameCount: piece) {}
    figures = now
    guard hasDevice else { return }
    ending.store(Ending.begun.rawValue, ordering: .releasing)
    if !device.drain(), !now.wasStopped {
      ending.store(Ending.failed.rawValue, ordering: .releasing)
    }
  }

  /// Waits until the sources have a block and the files room for one; for ten seconds, which is less
  /// than what is taken for a device that hangs.
  private func waitForFiles(_ block: Int) {
    for _ in 0..<100 where !isStopping.load(ordering: .relaxed) {
      var isReady = true
      for feed in sources.feeds where !feed.hasFrames(block) {
        feed.wait(frameCount: block, seconds: 0.1)
        isReady = isReady && feed.hasFrames(block)
      }
      if delivery.waitForRoom(frameCount: block, seconds: 0.1), isReady { return }
    }
  }
}
