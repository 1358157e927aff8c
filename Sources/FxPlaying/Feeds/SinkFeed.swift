package import FxAudio
package import FxFrames
package import FxMedia
import Synchronization

/// Writes to a sink on a thread of its own, so that rendering never waits for a disk.
///
/// One other thread pushes.
package final class SinkFeed: @unchecked Sendable {
  // Sendable: the sink belongs to the writer thread until it has ended, the ring to both; the error
  // is published by `hasFailed`.
  package let name: String
  package let format: StreamFormat
  /// The pushing side, for the render thread.
  let producer: FeedProducer

  /// Starts and stops of a recording; nil where everything is written.
  package let recording: RecordingSwitch?

  private let sink: any AudioSink
  private let isLive: Bool
  /// The writer thread's until it has ended.
  private var filled: [SinkGap] = []
  private let isAbandoned = Atomic<Bool>(false)
  private var failure: IOError?
  private var thread: WorkerThread?

  /// - Parameters:
  ///   - capacity: frames to wait for the disk; nil for what suits the width.
  ///   - blockFrameCount: what is pushed at once; there is room for four of these.
  ///   - isLive: nobody waits for the disk, which is given eight seconds; what was written before a
  ///     failure is kept.
  ///   - writesSoon: somebody may hear what is written while it is; live in any case. Otherwise half of the
  ///     ring is full before it is written: few changes of thread.
  package init(
    _ sink: any AudioSink, capacity: Int? = nil, blockFrameCount: Int = 0, isLive: Bool = false,
    writesSoon: Bool = false
  ) throws(IOError) {
    self.isLive = isLive
    let capacity =
      capacity
      ?? (isLive
        ? PlanarRing.patientCapacity(
          channelCount: sink.format.channelCount, sampleRate: sink.format.sampleRate) : nil)
    self.sink = sink
    recording = sink.recording
    name = sink.name
    format = sink.format
    let ring = PlanarRing.make(
      channelCount: format.channelCount,
      minimumCapacity: PlanarRing.feedCapacity(
        channelCount: format.channelCount, capacity: capacity, blockFrameCount: blockFrameCount),
      isTouched: isLive)
    producer = .make(ring, writesSoon: isLive || writesSoon)
    var code: Int32 = 0
    let context = Unmanaged.passUnretained(self)
    thread = WorkerThread(failure: &code) {
      context.takeUnretainedValue().writeBehind()
    }
    guard thread != nil else {
      throw IOError(
        .threadUnavailable, name, "no thread to write it: \(IOError.systemMessage(code))")
    }
  }

  deinit {
    if thread != nil { endWriting(abandoning: true) }
    producer.destroy()
  }

  /// Pushes all of it, waiting for room. False when the sink has failed.
  package func pushWaiting(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) -> Bool {
    withUnsafeTemporaryAllocation(
      of: UnsafePointer<Float>.self, capacity: max(format.channelCount, 1)
    ) { views in
      guard let table = views.baseAddress else { return false }
      var done = 0
      while done < frameCount {
        let count = min(frameCount - done, producer.pieceFrameCount)
        guard producer.waitForRoom(frameCount: count) else { return false }
        for channel in 0..<format.channelCount {
          (table + channel).initialize(to: channels[channel] + done)
        }
        producer.push(table, frameCount: count)
        done += count
      }
      return !hasFailed
    }
  }

  /// Processor seconds of its thread; complete after `finish` or `abandon`.
  private(set) var processorSeconds = 0.0

  /// True after a failed write.
  package var hasFailed: Bool { producer.hasFailed }

  /// Why writing failed.
  package var error: IOError? { hasFailed ? failure : nil }

  /// Frames that found no room and are lost. Only live: offline rendering waits.
  package var overrunFrameCount: Int { producer.overrunFrameCount }

  /// Where frames were lost, in the order of time and with silence in their place; complete after
  /// `finish` or `abandon`, at most a thousand of them.
  package var gaps: [SinkGap] { thread == nil ? filled : [] }

  /// How many gaps have begun, and where in the file the latest does. From any thread.
  package var begunGaps: (count: Int, frame: Int) { producer.gaps.begun }

  /// Starts or stops a recording with the next frame that is rendered. From any thread.
  package func record(_ starts: Bool) {
    recording?.request(starts, at: producer.ring.writtenCount + producer.overrunFrameCount)
    producer.writer.wake()
  }

  /// Refuses more frames than the sink takes.
  package func check(_ frameCount: Int) throws(IOError) { try sink.check(frameCount) }

  /// What the sink has measured; complete after `finish` or `abandon`.
  package var statistics: SinkStatistics { sink.statistics }

  /// Writes everything that was put and all that the sink holds; only a file's name is missing then.
  package func complete() throws(IOError) {
    endWriting(abandoning: false)
    do throws(IOError) {
      if let failure { throw failure }
      try sink.complete()
    } catch {
      guard let partial = try sink.abandon(keepingPartial: isLive) else { throw error }
      throw IOError(
        error.code, error.path, "\(error.message); what was recorded before is in \(partial)")
    }
  }

  /// Writes what is left and completes the sink.
  package func finish() throws(IOError) {
    try complete()
    try sink.finish()
  }

  /// Gives up; with `keepingPartial` what was pushed is written first. Returns where it is.
  package func abandon(keepingPartial: Bool) throws(IOError) -> String? {
    endWriting(abandoning: !keepingPartial)
    return try sink.abandon(keepingPartial: keepingPartial && (failure == nil || isLive))
  }

  /// Ends a write that waits for a pipe. From any thread.
  package func interrupt() { sink.interrupt() }

  private func endWriting(abandoning: Bool) {
    if abandoning {
      isAbandoned.store(true, ordering: .relaxed)
      sink.interrupt()
    }
    // The end of a gap that lasts to the end; there is room for it as soon as another is filled.
    while !producer.endGap(), !abandoning, !hasFailed { producer.waitForWriter(seconds: 0.01) }
    producer.ring.end()
    producer.writer.wake()
    thread?.join()
    processorSeconds += thread?.processorSeconds ?? 0
    thread = nil
  }

  /// Writes silence in place of frames that were lost.
  private func fill(_ gap: GapLog.Gap) throws(IOError) {
    if filled.count < RenderReport.rememberedEventCount {
      filled.append(SinkGap(frame: sink.nextFrame, frameCount: gap.frameCount))
    }
    let silence = PlanarBuffer(channelCount: format.channelCount, frameCount: 4096)
    var left = gap.frameCount
    while left > 0, !isAbandoned.load(ordering: .relaxed) {
      try sink.write(silence.readable, frameCount: min(left, 4096))
      left -= 4096
    }
  }

  private func writeBehind() {
    let ring = producer.ring
    let batch = producer.batch
    let width = format.channelCount
    let places = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: max(width, 1))
    defer { places.deallocate() }
    do throws(IOError) {
      while !isAbandoned.load(ordering: .relaxed) {
        let isEnded = ring.isEnded
        let available = ring.readableCount
        // After what is readable: who sees a frame behind a gap sees the gap.
        let gap = producer.gaps.first
        if let gap, gap.position == ring.readCount {
          try fill(gap)
          producer.gaps.removeFirst()
          continue
        }
        if available == 0, isEnded { break }
        guard available >= batch || isEnded || gap != nil else {
          producer.writer.sleep(seconds: 1) { ring.readableCount >= batch || ring.isEnded }
          try sink.rest()
          continue
        }
        var span = gap.map { min(available, $0.position - ring.readCount) } ?? available
        for channel in 0..<width {
          let (place, count) = ring.readPointer(channel)
          (places + channel).initialize(to: place)
          span = min(span, count)
        }
        span = min(span, 2 * FeedProducer.block(ring))
        try sink.write(UnsafePointer(places), frameCount: span)
        ring.advanceTail(span)
        producer.pusher.wake()
      }
    } catch {
      failure = error
      producer.fail()
    }
    producer.pusher.wake()
  }
}

/// Frames of a file that were lost, and are silent in it.
package struct SinkGap: Sendable, Hashable {
  /// Of the file.
  package let frame: Int
  package let frameCount: Int
}

/// What the render thread holds of a sink's feed.
struct FeedProducer: BitwiseCopyable, @unchecked Sendable {
  // Sendable: made of views and atomics.
  private struct Counters: ~Copyable {
    let hasFailed = Atomic<Bool>(false)
  }

  let ring: PlanarRing
  let gaps: GapLog
  let writer: Sleeper
  let pusher: Sleeper
  /// Frames for which the writer is woken.
  let batch: Int
  private let counters: UnsafeMutablePointer<Counters>

  static func make(_ ring: PlanarRing, writesSoon: Bool) -> FeedProducer {
    let counters = UnsafeMutablePointer<Counters>.allocate(capacity: 1)
    counters.initialize(to: Counters())
    return FeedProducer(
      ring: ring, gaps: .make(), writer: .make(), pusher: .make(),
      batch: writesSoon ? block(ring) : ring.capacity / 2, counters: counters)
  }

  /// Frames that the writer works with.
  static func block(_ ring: PlanarRing) -> Int { min(8192, ring.capacity / 4) }

  func destroy() {
    ring.destroy()
    gaps.destroy()
    writer.destroy()
    pusher.destroy()
    counters.deinitialize(count: 1)
    counters.deallocate()
  }

  var overrunFrameCount: Int { gaps.lostFrameCount }

  /// The most that can be waited for: the writer may sleep while less than half of the ring is full.
  var pieceFrameCount: Int { ring.capacity / 2 }

  /// Waits for room for so many frames, at most `pieceFrameCount`. False when the sink has failed.
  func waitForRoom(frameCount: Int) -> Bool {
    precondition(frameCount <= pieceFrameCount, "no ring has room for this at once")
    if ring.writableCount < frameCount {
      writer.wake()
      pusher.sleep { ring.writableCount >= frameCount || hasFailed }
    }
    return !hasFailed
  }

  /// The same for so many seconds at most. True when there is nothing more to wait for.
  func waitForRoom(frameCount: Int, seconds: Double) -> Bool {
    let wanted = min(frameCount, pieceFrameCount)
    if ring.writableCount >= wanted || hasFailed { return true }
    writer.wake()
    pusher.sleep(seconds: seconds) { ring.writableCount >= wanted || hasFailed }
    return ring.writableCount >= wanted || hasFailed
  }

  /// Waits a moment for the writer.
  func waitForWriter(seconds: Double) {
    writer.wake()
    pusher.sleep(seconds: seconds) { false }
  }

  func fail() { counters.pointee.hasFailed.store(true, ordering: .releasing) }

  // MARK: - Realtime

  var hasFailed: Bool {
    @_noLocks get { counters.pointee.hasFailed.load(ordering: .acquiring) }
  }

  /// Pushes without waiting; what finds no room is dropped and counted. After that all frames of a push
  /// find room, or none.
  @_noLocks
  func push(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    if gaps.isOpen, ring.writableCount < frameCount || !endGap() {
      lose(frameCount)
    } else {
      let count = ring.push(channels, frameCount: frameCount)
      if count < frameCount { lose(frameCount &- count) }
    }
    wakeWriterWhenWorthwhile()
  }

  /// Ends a gap where there is one. False while there is no room to record it.
  @_noLocks
  func endGap() -> Bool { gaps.close(position: ring.writtenCount) }

  /// Counts frames that found no room.
  @_noLocks
  func lose(_ frameCount: Int) {
    gaps.lose(frameCount, position: ring.writtenCount)
  }

  @_noLocks
  func wakeWriterWhenWorthwhile() {
    if ring.readableCount >= batch { writer.wake() }
  }
}
