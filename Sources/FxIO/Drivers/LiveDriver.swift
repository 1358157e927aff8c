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

    fileprivate var feed: SinkFeed? {
      if case .feed(let feed) = self { feed } else { nil }
    }
  }

  package static let priority: Int32 = 70

  private let program: RenderProgram
  private let sources: SourceBank
  private let device: ALSAPlayback
  private let destinations: [Destination]
  private let deviceSink: Int
  private let options: RenderOptions
  private let delivery: Delivery
  private let framesDone = Atomic<Int>(0)
  private let isStopping = Atomic<Bool>(false)
  private var figures = LiveFigures()
  private let supervisor: Supervisor

  /// Feeds and destinations in the order of the plan's sources and sinks. The program runs at the
  /// device's rate; blocks of the device's period make the least latency.
  package init(
    _ program: RenderProgram, sources: [SourceFeed], device: ALSAPlayback,
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
    guard devices.count == 1, let sink = devices.first, sink < program.sinkWidths.count else {
      throw .device(device.name, "exactly one sink of the chain can be the sound device")
    }
    deviceSink = sink
    guard program.sampleRate == device.format.sampleRate,
      program.sinkWidths[sink] == device.format.channelCount
    else {
      throw .device(
        device.name,
        "the sound device '\(device.name)' runs at \(device.format.sampleRate) Hz with "
          + "\(device.format.channelCount) channels, the chain at \(program.sampleRate) Hz with "
          + "\(program.sinkWidths[sink])")
    }
    if case .source(let index) = options.length, !sources.indices.contains(index) {
      throw IOError(
        .unsupportedFormat, "", "nothing says how long to play: no source; give a duration")
    }
    delivery = try Delivery.make(program, destinations.map(\.feed), tail: options.tail)
  }

  deinit { delivery.destroy() }

  /// Plays to the end, or until `stop`, which fades out within a hundredth of a second. A stop
  /// leaves files as `NAME.partial.EXT`, unless the sound has no end of its own. `event` hears of
  /// units that fail or change their latency, as it happens, on this thread.
  package func run(
    stop: StopFlag = StopFlag(), progress: ((RenderProgress) -> Void)? = nil,
    event: ((RenderEvent) -> Void)? = nil
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
    while !ended.wait(seconds: 0.1) {
      if watchdog.hangs(at: framesDone.load(ordering: .relaxed)) {
        // The device's driver never came back from a call. Everything that it may still touch
        // stays as it is.
        thread.forget()
        _ = Unmanaged.passRetained(self)
        _ = abandon(keepingPartial: true)
        throw device.hang
      }
      progress?(
        RenderProgress(
          frameCount: framesDone.load(ordering: .relaxed), total: expectedFrameCount,
          elapsed: fx_monotonic_seconds() - start))
      if stop.isStopped { isStopping.store(true, ordering: .relaxed) }
      attend(&report, event)
    }
    thread.join()
    attend(&report, event)
    ended.destroy()
    report.wasStopped = figures.wasStopped
    if figures.isDeviceLost {
      _ = abandon(keepingPartial: true)
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

  private var expectedFrameCount: Int? {
    switch options.length {
    case .source(let index): sources.feeds[index].frameCount
    case .frames(let count): count
    }
  }

  private func startThread(
    _ ended: Wakeup, _ warnings: inout [String]
  ) throws(IOError) -> (thread: WorkerThread, isRealtime: Bool) {
    var code: Int32 = 0
    for priority in [LiveDriver.priority, 0] {
      let thread = WorkerThread(priority: priority, failure: &code) { [unowned self] in
        play()
        ended.signal()
      }
      if let thread { return (thread, priority > 0) }
      if priority > 0 {
        warnings.append(
          "real-time scheduling is refused (\(IOError.systemMessage(code))): expect dropouts "
            + "under load; join the group 'audio' and raise 'rtprio' in /etc/security/limits.d")
      }
    }
    throw IOError(
      .threadUnavailable, "", "no thread to play on: \(IOError.systemMessage(code))")
  }

  private func abandon(keepingPartial: Bool) -> [String?] {
    destinations.map { destination in
      guard let feed = destination.feed else { return nil }
      return (try? feed.abandon(keepingPartial: keepingPartial)) ?? nil
    }
  }

  /// Completes files and figures. A file that failed while playing went on is an error at the end.
  private func complete(
    _ report: inout RenderReport, isRealtime: Bool
  ) throws(IOError) {
    var failure = sources.feeds.lazy.compactMap(\.error).first
    for feed in sources.feeds { feed.stop() }
    report.warnings += sources.warnings
    var partials: [String?] = destinations.map { _ in nil }
    if report.wasStopped, expectedFrameCount != nil {
      partials = abandon(keepingPartial: true)
    } else {
      for destination in destinations {
        guard let feed = destination.feed else { continue }
        do throws(IOError) {
          try feed.finish()
        } catch {
          failure = failure ?? error
        }
      }
    }
    if let failure { throw failure }
    let played = device.report
    let latencies = program.sinkLatencies
    report.sampleRate = program.sampleRate
    report.mainFrameCount = delivery.mainFrameCount ?? figures.renderedFrameCount
    report.tailFrameCount = max(delivery.outputFrameCount - report.mainFrameCount, 0)
    report.tailWasCut = delivery.tailWasCut
    report.renderedFrameCount = figures.renderedFrameCount
    report.pageFaultCount = Int(clamping: figures.pageFaultCount)
    report.sinks = destinations.enumerated().map { index, destination in
      RenderReport.Sink(
        name: destination.feed?.name ?? (index == deviceSink ? device.name : "null"),
        statistics: destination.feed?.statistics
          ?? (index == deviceSink ? played.statistics : SinkStatistics(channelCount: 0)),
        latency: index == deviceSink ? 0 : latencies[index], partialPath: partials[index],
        overrunFrameCount: destination.feed?.overrunFrameCount ?? 0)
    }
    let blocks = max(figures.blockCount, 1)
    report.live = RenderReport.Live(
      device: device.name, agreement: device.agreement, xrunCount: played.xrunCount,
      suspendCount: played.suspendCount, starvedFrameCount: figures.starvedFrameCount,
      meanBlockTime: figures.totalBlockTime / Double(blocks),
      maximumBlockTime: figures.maximumBlockTime,
      blockDuration: Double(program.maximumFrameCount) / program.sampleRate,
      isRealtime: isRealtime)
  }

  /// The render thread.
  private func play() {
    _ = fx_flush_denormals()
    let block = program.maximumFrameCount
    let width = program.sinkWidths[deviceSink]
    let outputs = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: max(width, 1))
    defer { outputs.deallocate() }
    for channel in 0..<width {
      (outputs + channel).initialize(to: program.sinkBuffer(deviceSink, channel: channel))
    }
    var cycle = LiveCycle(
      renderer: program.renderer, delivery: delivery, frameCount: block, mainSource: -1)
    switch options.length {
    case .source(let index): cycle.mainSource = index
    case .frames(let count): delivery.endMain(at: max(count, 0))
    }
    var now = LiveFigures()
    var faults: UInt64 = 0
    // A source that is late has so long before the device's buffer runs low. A device without a
    // clock takes everything at once and is held back by this alone.
    let patience =
      Double(max(device.agreement.bufferFrameCount - block, block)) / program.sampleRate / 2
    while !delivery.isComplete {
      let isStopped = isStopping.load(ordering: .relaxed)
      if !isStopped {
        for feed in sources.feeds { feed.wait(frameCount: block, seconds: patience) }
        // What has no clock can wait for the files as well.
        if !device.isPaced { waitForFiles(block) }
      }
      let start = fx_monotonic_seconds()
      now.starvedFrameCount += cycle.run(sources)
      if isStopped { fadeOut(width, block) }
      let spent = fx_monotonic_seconds() - start
      now.blockCount += 1
      now.totalBlockTime += spent
      now.maximumBlockTime = max(now.maximumBlockTime, spent)
      now.renderedFrameCount = cycle.frame
      if now.blockCount == 2 { faults = fx_thread_page_faults() }
      framesDone.store(cycle.frame, ordering: .relaxed)
      guard device.write(UnsafePointer(outputs), frameCount: block) else {
        now.isDeviceLost = true
        break
      }
      if isStopped {
        now.wasStopped = true
        break
      }
    }
    if now.blockCount > 2 { now.pageFaultCount = fx_thread_page_faults() - faults }
    if !now.isDeviceLost { now.isDeviceLost = !device.drain() }
    let piece = min(block, delivery.pieceFrameCount)
    while !delivery.release(), delivery.waitForRoom(frameCount: piece) {}
    figures = now
  }

  /// Waits until the files have room for a block; for ten seconds, which is less than what is taken
  /// for a device that hangs.
  private func waitForFiles(_ block: Int) {
    for _ in 0..<100 where !isStopping.load(ordering: .relaxed) {
      if delivery.waitForRoom(frameCount: block, seconds: 0.1) { return }
    }
  }

  /// The last block before a stop ends in silence, without a click.
  private func fadeOut(_ width: Int, _ block: Int) {
    let length = min(block, max(1, Int(program.sampleRate / 100)))
    for channel in 0..<width {
      // The buffer is the program's own and is written anew by the next render.
      let samples = UnsafeMutablePointer(
        mutating: program.sinkBuffer(deviceSink, channel: channel))
      for frame in 0..<block {
        let left = length - frame
        samples[frame] *= left > 0 ? Float(left) / Float(length + 1) : 0
      }
    }
  }
}

/// Notices from outside that the render thread makes no progress: every wait of its own has a
/// shorter limit.
private struct Watchdog {
  private static let limit = 15.0
  private var frame = -1
  private var since = 0.0

  mutating func hangs(at frame: Int) -> Bool {
    let now = fx_monotonic_seconds()
    if frame != self.frame {
      self.frame = frame
      since = now
    }
    return now - since > Watchdog.limit
  }
}

/// What the render thread counts while it plays.
private struct LiveFigures {
  var blockCount = 0
  var renderedFrameCount = 0
  var starvedFrameCount = 0
  var totalBlockTime = 0.0
  var maximumBlockTime = 0.0
  var pageFaultCount: UInt64 = 0
  var isDeviceLost = false
  var wasStopped = false
}

/// What happens once a block, apart from the device.
private struct LiveCycle {
  let renderer: Renderer
  let delivery: Delivery
  let frameCount: Int
  /// Which source says where the sound ends; -1 for none.
  var mainSource: Int
  private(set) var frame = 0

  init(renderer: Renderer, delivery: Delivery, frameCount: Int, mainSource: Int) {
    self.renderer = renderer
    self.delivery = delivery
    self.frameCount = frameCount
    self.mainSource = mainSource
  }

  // MARK: - Realtime

  /// Fetches, renders and hands on one block. Returns the frames that a source owed.
  @_noLocks
  mutating func run(_ sources: SourceBank) -> Int {
    fx_realtime_enter()
    var starved = 0
    for source in 0..<sources.count {
      let count = sources.fill(source, frameCount: frameCount)
      guard count < frameCount else { continue }
      if !sources.isExhausted(source) {
        starved = starved &+ (frameCount &- count)
      } else if source == mainSource {
        delivery.endMain(at: frame &+ count)
      }
    }
    renderer.render(frameCount: frameCount)
    delivery.deliver(frameCount: frameCount)
    _ = delivery.release()
    fx_realtime_exit()
    frame = frame &+ frameCount
    return starved
  }
}
