import CRealtime
package import FxAudio
package import FxFrames
package import FxMedia
import Synchronization

/// Writes to a sink: on a thread of its own, so that rendering never waits for it, or on the thread that
/// pushes, which is cheaper.
///
/// One thread pushes.
package final class SinkFeed: @unchecked Sendable {
  // Sendable: the sink belongs to the writer thread, or to the one that pushes, until that has ended, the
  // ring to both; the error is published by `hasFailed`.
  package let name: String
  package let format: StreamFormat
  /// The pushing side, for the render thread.
  let producer: FeedProducer

  /// Starts and stops of a recording; nil where everything is written.
  package let recording: RecordingSwitch?

  private let sink: any AudioSink
  private let isLive: Bool
  private let writesBehind: Bool
  /// The floating-point mode to write in; a chain is rendered in another one.
  private let mode = fx_floating_point_mode()
  /// Where the readable frames of each channel begin. Only for who writes.
  private let places: UnsafeMutablePointer<UnsafePointer<Float>>
  /// The writer thread's until it has ended.
  private var filled: [SinkGap] = []
  private let isAbandoned = Atomic<Bool>(false)
  private var failure: IOError?
  private var thread: WorkerThread?

  /// Frames of the ring where nobody writes behind: few enough to stay in the cache.
  private static let piece = 16384

  /// - Parameters:
  ///   - capacity: frames to wait for the disk; nil for what suits the width.
  ///   - blockFrameCount: what is pushed at once; there is room for four of these.
  ///   - isLive: nobody waits for the disk, which is given eight seconds; what was written before a
  ///     failure is kept.
  ///   - writesSoon: somebody may hear what is written while it is; live in any case. Otherwise half of the
  ///     ring is full before it is written: few changes of thread.
  ///   - writesBehind: false where who pushes is to write as well, in `writeDue`; not for one that is live.
  package init(
    _ sink: any AudioSink, capacity: Int? = nil, blockFrameCount: Int = 0, isLive: Bool = false,
    writesSoon: Bool = false, writesBehind: Bool = true
  ) throws(IOError) {
    self.isLive = isLive
    self.writesBehind = writesBehind || isLive
    let width = sink.format.channelCount
    let patience =
      isLive
      ? PlanarRing.patientCapacity(channelCount: width, sampleRate: sink.format.sampleRate) : nil
    let piece = min(
      Self.piece, PlanarRing.feedCapacity(channelCount: width, capacity: nil, blockFrameCount: 0))
    let capacity = capacity ?? (self.writesBehind ? patience : piece)
    self.sink = sink
    recording = sink.recording
    name = sink.name
    format = sink.format
    let ring = PlanarRing.make(
      channelCount: width,
      minimumCapacity: PlanarRing.feedCapacity(
        channelCount: width, capacity: capacity, blockFrameCount: blockFrameCount),
      isTouched: isLive)
    producer = .make(ring, writesSoon: isLive || writesSoon)
    places = .allocate(capacity: max(width, 1))
    guard self.writesBehind else { return }
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
    places.deallocate()
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
        writeDue()
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

  /// Writes half of the ring and more, where no other thread does; then there is room for a piece.
  package func writeDue() {
    guard !writesBehind, !producer.ring.isEnded,
      producer.ring.readableCount >= producer.batch
    else { return }
    let rendering = fx_floating_point_mode()
    fx_set_floating_point_mode(mode)
    writeAll()
    fx_set_floating_point_mode(rendering)
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
    if !writesBehind, !abandoning { writeAll() }
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
        try writeOldest(gap.map { min(available, $0.position - ring.readCount) } ?? available)
        producer.pusher.wake()
      }
    } catch {
      fail(error)
    }
    producer.pusher.wake()
  }

  private func writeAll() {
    do throws(IOError) {
      while producer.ring.readableCount > 0, !hasFailed {
        try writeOldest(producer.ring.readableCount)
      }
    } catch {
      fail(error)
    }
  }

  /// Writes the oldest frames, so many at most.
  private func writeOldest(_ most: Int) throws(IOError) {
    let ring = producer.ring
    var span = min(most, 2 * FeedProducer.block(ring))
    for channel in 0..<format.channelCount {
      let (place, count) = ring.readPointer(channel)
      (places + channel).initialize(to: place)
      span = min(span, count)
    }
    try sink.write(UnsafePointer(places), frameCount: span)
    ring.advanceTail(span)
  }

  private func fail(_ error: IOError) {
    failure = error
    producer.fail()
  }
}

/// Frames of a file that were lost, and are silent in it.
package struct SinkGap: Sendable, Hashable {
  /// Of the file.
  package let frame: Int
  package let frameCount: Int
}
