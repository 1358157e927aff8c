import CRealtime
package import FxAudio
package import FxEngine
import FxMedia
import Glibc
import Synchronization

/// Renders as fast as possible. Decoding and encoding have threads of their own, except where the
/// work takes less time than passing it to another thread.
package final class OfflineDriver: @unchecked Sendable {
  // Sendable: start and join pass it from the control thread to the render thread and back.
  private let program: RenderProgram
  private let sources: SourceBank
  private let sinks: [SinkFeed]
  private let options: RenderOptions
  private let outputStage: OutputStage
  private let supervisor: Supervisor
  /// Frames dropped from the front of each sink.
  private let latencies: [Int]
  private let framesDone = Atomic<Int>(0)
  private let isStopping = Atomic<Bool>(false)
  /// Frames that were begun, and frames that were delivered.
  private var begunFrameCount = 0
  private var renderedFrameCount = 0
  /// The newest block is shorter than the others.
  private var hasShortBlock = false
  private var pageFaultCount = 0
  private var events: [RenderingEvent] = []
  private var fault: RenderingEvent?
  /// Why a source ended before its sound was complete.
  private var sourceFailure: Failure?
  private let threads: RenderThreads
  /// Seconds that a block may take after a stop request.
  private let patience: Double
  private var replay: Replay
  /// The program's `tailRevision` that the tail was last computed for; nil before the sound ends.
  private var tailRevision: Int?

  /// Feeds have the order of the plan's sources and sinks. Parameter changes and file events are
  /// sorted by frame.
  package init(
    _ program: RenderProgram, sources: [SourceFeed], sinks: [SinkFeed],
    options: RenderOptions = RenderOptions(), changes: [AppliedChange] = [],
    transport: [AppliedTransportChange] = [], patience: Double = 3
  ) throws(Failure) {
    self.program = program
    self.patience = patience
    replay = Replay(changes, transport)
    // `map`, because the cast of an array looks up the type of each element.
    self.sources = try SourceBank(program, sources.map { $0 })
    self.sinks = sinks
    self.options = options
    supervisor = Supervisor(program)
    latencies = program.sinkLatencies
    if case .source(let index) = options.length, !sources.indices.contains(index) {
      throw Failure(
        .unsupportedFormat, "", "nothing says how long to render: no source; give a duration")
    }
    outputStage = try OutputStage.make(program, sinks.map { $0 }, tail: options.tail)
    threads = RenderThreads(
      program.renderer.board, count: min(program.configuration.threadCount, program.taskCount))
  }

  deinit { outputStage.destroy() }

  /// Renders to the end, or until `stop`, and completes the sinks. `progress` is called on this
  /// thread, ten times a second.
  ///
  /// After a stop, each file is kept as `NAME.partial.EXT`; so is the sound from before a source
  /// failed. After any other error, or a unit's `fault` that the report names, no file is kept.
  package func run(
    stop: StopSignal = StopSignal(), progress: ((RenderingProgress) -> Void)? = nil
  ) throws(Failure) -> RenderSummary {
    let start = fx_monotonic_seconds()
    let processorStart = fx_processor_seconds()
    let ended = Wakeup.make()
    defer { ended.destroy() }
    var code: Int32 = 0
    let thread = WorkerThread(failure: &code) { [unowned self] in
      render()
      ended.signal()
    }
    guard let thread else {
      throw Failure(
        .threadUnavailable, "", "no thread to render on: \(Failure.systemMessage(code))")
    }
    var stoppedAt: Double?
    var isGivenUp = false
    while !ended.wait(seconds: 0.1) {
      let elapsed = fx_monotonic_seconds() - start
      progress?(
        RenderingProgress(
          frames: framesDone.load(ordering: .relaxed), totalFrames: expectedFrameCount,
          elapsedSeconds: elapsed, sampleRate: program.sampleRate))
      guard stop.isStopped else { continue }
      if stoppedAt == nil {
        // A source may wait for a pipe that nobody writes to.
        isStopping.store(true, ordering: .relaxed)
        threads.stopPlugins()
        for feed in sources.feeds { feed.stop() }
        stoppedAt = elapsed
      } else if let since = stoppedAt, threads.plugin != nil {
        isGivenUp = elapsed - since > patience
        if isGivenUp { break }
      } else if let since = stoppedAt, elapsed - since > 2 {
        for sink in sinks { sink.interrupt() }
      }
    }
    var report = RenderSummary()
    let hanging = isGivenUp ? threads.plugin : nil
    if isGivenUp {
      // The threads may still use these objects, so they stay allocated.
      thread.forget()
      threads.forget()
      _ = Unmanaged.passRetained(self)
    } else {
      thread.join()
    }
    if let place = hanging ?? threads.givenUp {
      report.warnings.append(OfflineDriver.warning(ofHanging: place.pointee))
    }
    let isStopped = isStopping.load(ordering: .relaxed)
    report.wasStopped = isStopped && !(options.isWholeWhenStopped && !isGivenUp)
    if let error = failure(wasStopped: isStopped) {
      _ = abandon(keepingPartial: false)
      throw error
    }
    if let error = sourceFailure, !isStopped, fault == nil, !options.acceptsFailedSources {
      throw keepingSound(error)
    }
    for feed in sources.feeds { feed.stop() }
    report.warnings += sources.warnings
    report.remember(events)
    report.fault = fault
    let partials =
      report.wasStopped || fault != nil
      ? abandon(keepingPartial: fault == nil) : try finish()
    complete(&report, partials)
    report.elapsedSeconds = fx_monotonic_seconds() - start
    report.processorSeconds = fx_processor_seconds() - processorStart
    let rendering = [thread.processorSeconds] + threads.processorSeconds
    let writing = sinks.reduce(0) { $0 + $1.processorSeconds }
    report.threadTimes = RenderSummary.ThreadTimes(
      reading: max(report.processorSeconds - rendering.reduce(writing, +), 0), rendering: rendering,
      writing: writing)
    progress?(
      RenderingProgress(
        frames: report.mainFrames, totalFrames: report.mainFrames,
        elapsedSeconds: report.elapsedSeconds, sampleRate: program.sampleRate))
    return report
  }

  private static func warning(ofHanging place: fx_plugin_place) -> String {
    "'\(String(cString: place.node))' (\(String(cString: place.uri))) hangs: it was given up after the "
      + "stop, and the file ends before the block that it was at"
  }

  private var expectedFrameCount: Int? {
    switch options.length {
    case .source(let index): sources.feeds[index].frameCount
    case .frames(let count): count
    case .endless: nil
    }
  }

  private func failure(wasStopped: Bool) -> Failure? {
    if let error = sinks.lazy.compactMap(\.error).first { return error }
    if fx_boundary_has_lost_files() != 0 {
      return Failure(.unwritable, "", Failure.systemMessage(EBADF))
    }
    if let sink = sinks.first(where: { $0.overrunFrameCount > 0 }) {
      return Failure(
        .unwritable, sink.name,
        "\(sink.overrunFrameCount) frames of it are lost; this is a mistake in fxrun, "
          + "please report it")
    }
    return wasStopped ? nil : replay.error
  }

  /// Keeps the sound from before a source failed, its tail included.
  private func keepingSound(_ error: Failure) -> Failure {
    let frameCount = outputStage.mainFrameCount ?? 0
    let partials = abandon(keepingPartial: frameCount > 0).compactMap { $0 }
    return error.keeping(partials, frameCount: frameCount, sampleRate: program.sampleRate)
  }

  /// Completes the sinks. If one cannot be completed, no half-written file stays.
  private func finish() throws(Failure) -> [String?] {
    do throws(Failure) {
      for sink in sinks { try sink.complete() }
      for sink in sinks { try sink.finish() }
    } catch {
      _ = abandon(keepingPartial: false)
      throw error
    }
    return sinks.map { _ in nil }
  }

  private func abandon(keepingPartial: Bool) -> [String?] {
    sinks.map { (try? $0.abandon(keepingPartial: keepingPartial)) ?? nil }
  }

  private func complete(_ report: inout RenderSummary, _ partials: [String?]) {
    report.sampleRate = program.sampleRate
    report.mainFrames = outputStage.mainFrameCount ?? renderedFrameCount
    report.tailFrames = max(outputStage.outputFrameCount - report.mainFrames, 0)
    report.tailWasCut = outputStage.tailWasCut
    report.renderedFrames = renderedFrameCount
    report.pageFaults = pageFaultCount
    report.outputs = sinks.enumerated().map { index, sink in
      RenderSummary.Output(
        sink.name, sink.statistics, channels: program.sinkWidths[index],
        latency: latencies[index], partialPath: partials[index],
        overrunFrames: sink.overrunFrameCount, takes: sink.recording?.takes)
    }
  }

  /// The driving thread. For each block it fills the sources, renders, and delivers the result, in
  /// that order. With several threads, filling is a few blocks ahead of delivery.
  private func render() {
    threads.enter()
    defer { threads.leave() }
    _ = fx_flush_denormals()
    let block = program.maximumFrameCount
    if case .frames(let count) = options.length { outputStage.endMain(at: max(count, 0)) }
    var faults: UInt64 = 0
    while !outputStage.isComplete, !isStopping.load(ordering: .relaxed), threads.givenUp == nil {
      if threads.isOldestDone {
        // Only the newest block can be shorter.
        guard finish(min(block, begunFrameCount - renderedFrameCount)) else { break }
        // The first blocks touch memory for the first time; these page faults do not count.
        if renderedFrameCount == 2 * block { faults = fx_thread_page_faults() }
      } else if canBegin(block) {
        guard begin(block) else { break }
      } else if !threads.work() {
        threads.wait()
      }
    }
    threads.join()
    if renderedFrameCount > 2 * block {
      pageFaultCount = Int(clamping: fx_thread_page_faults() - faults)
    }
  }

  /// True if there is room for the next block, the block is needed for certain, and it need not
  /// wait for sources or changes. If no block is in flight, always true.
  private func canBegin(_ block: Int) -> Bool {
    guard threads.inFlightCount > 0 else { return true }
    guard !hasShortBlock else { return false }
    let start = program.configuration.startFrame
    return threads.hasPlace && begunFrameCount < neededFrameCount
      && !replay.isDue(before: begunFrameCount, startFrame: start)
      && !program.renderer.hasChanges && sources.hasFrames(block)
  }

  /// Frames that are rendered in any case: no earlier end is possible.
  private var neededFrameCount: Int {
    outputStage.mainFrameCount == nil ? Int.max : outputStage.outputFrameCount
  }

  /// Fills the sources of the next block and starts to render it. False when no block is left to
  /// begin.
  private func begin(_ block: Int) -> Bool {
    sources.move(to: threads.beginningOffset)
    fill(begunFrameCount, block)
    guard !isStopping.load(ordering: .relaxed),
      threads.inFlightCount > 0 || !outputStage.isComplete,
      sourceFailure == nil || begunFrameCount > 0 || outputStage.mainFrameCount != 0,
      replay.send(to: program, before: begunFrameCount)
    else { return false }
    followTail(begunFrameCount, block)
    let count = lengthOfBlock(block)
    hasShortBlock = count < block
    threads.begin(program.renderer, frameCount: count, isBehind: sources.areAhead)
    begunFrameCount += count
    return true
  }

  /// The frames of the next block. The last one ends where the output ends, so that the units'
  /// readings are those at the end of the sound.
  private func lengthOfBlock(_ block: Int) -> Int {
    guard !options.hasWholeBlocks, let end = outputStage.lastFrame, end > begunFrameCount
    else { return block }
    return min(block, end - begunFrameCount)
  }

  /// Delivers the oldest block, which has been rendered. False when rendering must end.
  private func finish(_ block: Int) -> Bool {
    if supervisor.hasNews, !attend(before: renderedFrameCount + block) { return false }
    guard deliver(block, at: threads.finishingOffset) else { return false }
    threads.finish()
    renderedFrameCount += block
    framesDone.store(
      min(renderedFrameCount, outputStage.mainFrameCount ?? renderedFrameCount), ordering: .relaxed)
    return true
  }

  /// Computes the tail for the parameter values at the end of the sound, and again after each later
  /// change.
  private func followTail(_ frame: Int, _ block: Int) {
    guard outputStage.isDeclared, let main = outputStage.mainFrameCount, main <= frame + block,
      tailRevision != program.tailRevision
    else { return }
    let end = tailRevision == nil ? main : max(frame, main)
    let tail = program.tail(from: program.configuration.startFrame + end).declaredFrames
    outputStage.keep(until: end + tail)
    tailRevision = program.tailRevision
  }

  /// Checks the units after a block is rendered, before it is delivered. `end` is the frame after
  /// the block. False when a unit has failed.
  private func attend(before end: Int) -> Bool {
    fault = supervisor.faults(before: program.configuration.startFrame + end).first
    if fault != nil { return false }
    let changes = supervisor.followAtOnce()
    if events.count < RenderSummary.rememberedEventCount { events += changes }
    return true
  }

  /// Delivers a block in pieces that fit into the feeds. `offset`: floats from the start of the
  /// program's buffers to the block. False when a sink has failed.
  private func deliver(_ block: Int, at offset: Int) -> Bool {
    let piece = min(block, outputStage.pieceFrameCount)
    var done = 0
    while done < block {
      guard insertSilence(piece) else { return false }
      let count = min(piece, block - done, outputStage.framesUntilShift)
      guard makeRoom(count) else { return false }
      outputStage.deliver(from: offset + done, frameCount: count)
      while !outputStage.release() {
        guard makeRoom(count) else { return false }
      }
      done += count
    }
    return true
  }

  /// Makes room in every feed, or waits for it. False when a sink has failed.
  private func makeRoom(_ frameCount: Int) -> Bool {
    for sink in sinks { sink.writeDue() }
    return outputStage.waitForRoom(frameCount: frameCount)
  }

  /// Inserts silence after a latency has become shorter. False when a sink has failed.
  private func insertSilence(_ piece: Int) -> Bool {
    outputStage.startShifts()
    while outputStage.owesSilence {
      guard makeRoom(piece) else { return false }
      outputStage.insertSilence(atMost: piece)
      while !outputStage.release() {
        guard makeRoom(piece) else { return false }
      }
    }
    return true
  }

  /// Fills every source's buffers, and records where the sound ends: at the end of its source, or
  /// where a source fails.
  private func fill(_ frame: Int, _ block: Int) {
    for source in 0..<sources.count {
      let count = sources.fillWaiting(source, frameCount: block)
      guard count < block else { continue }
      // A stop ends the wait for a source with an error of its own.
      guard !isStopping.load(ordering: .relaxed) else { return }
      let main = outputStage.mainFrameCount ?? Int.max
      if let error = sources.feedOfSource[source]?.error, frame + count < main {
        sourceFailure = sourceFailure ?? error
        outputStage.cutMain(at: frame + count)
      } else if case .source(source) = options.length {
        outputStage.endMain(at: frame + count)
      }
    }
  }
}
