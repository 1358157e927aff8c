import CRealtime
package import FxAudio
package import FxMedia
import Synchronization

/// Writes to a sink: on a thread of its own, so that rendering never waits; or on the pushing
/// thread, which costs less. Only one thread may push.
package final class SinkFeed: @unchecked Sendable {
  // Sendable: the sink belongs to the writer thread, or to the pushing thread, until that has
  // ended. The ring belongs to both. `hasFailed` publishes the error.
  package let name: String
  package let format: StreamFormat
  /// The pushing side, for the render thread.
  let producer: FeedProducer

  /// The starts and stops of a recording; nil if everything is written.
  package let recording: RecordingSwitch?

  private let sink: any AudioSink
  private let isLive: Bool
  private let writesBehind: Bool
  /// The floating-point mode for writing; a chain is rendered in a different mode.
  private let mode = fx_floating_point_mode()
  /// The address of the first readable frame of each channel. For the writing thread only.
  private let places: UnsafeMutablePointer<UnsafePointer<Float>>
  /// Belongs to the writer thread until that has ended.
  private var filled: [RenderSummary.Gap] = []
  private let isAbandoned = Atomic<Bool>(false)
  private var failure: Failure?
  private var thread: WorkerThread?

  /// Frames of the ring if the pushing thread also writes: few enough to stay in the cache.
  private static let piece = 16384

  /// - Parameters:
  ///   - capacity: frames that the ring holds; nil for a default that depends on the width.
  ///   - blockFrameCount: frames pushed at once; the ring has room for at least four times as many.
  ///   - isLive: nothing waits for the disk, and the ring holds up to eight seconds. After a
  ///     failure, what was written before is kept.
  ///   - writesSoon: frames are written early because somebody may be listening; always so when
  ///     live. Otherwise the writer waits until half of the ring is full, to save thread switches.
  ///   - writesBehind: false if the pushing thread also writes, in `writeDue`; not for live feeds.
  package init(
    _ sink: any AudioSink, capacity: Int? = nil, blockFrameCount: Int = 0, isLive: Bool = false,
    writesSoon: Bool = false, writesBehind: Bool = true
  ) throws(Failure) {
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
      throw Failure(
        .threadUnavailable, name, "no thread to write it: \(Failure.systemMessage(code))")
    }
  }

  deinit {
    if thread != nil { endWriting(abandoning: true) }
    producer.destroy()
    places.deallocate()
  }

  /// Pushes all frames and waits for room. False when the sink has failed.
  func pushWaiting(
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

  /// If no other thread writes: writes the ring once it is half full. Then there is room for a
  /// piece.
  func writeDue() {
    guard !writesBehind, !producer.ring.isEnded,
      producer.ring.readableCount >= producer.batch
    else { return }
    let rendering = fx_floating_point_mode()
    fx_set_floating_point_mode(mode)
    writeAll()
    fx_set_floating_point_mode(rendering)
  }

  /// Processor seconds of the writer thread; complete after `finish` or `abandon`.
  private(set) var processorSeconds = 0.0

  /// True after a failed write.
  package var hasFailed: Bool { producer.hasFailed }

  /// Why writing failed.
  package var error: Failure? { hasFailed ? failure : nil }

  /// Frames that did not fit and are lost. Only live: offline rendering waits.
  package var overrunFrameCount: Int { producer.overrunFrameCount }

  /// The gaps where frames were lost and replaced by silence, sorted by time; complete after
  /// `finish` or `abandon`. At most a thousand.
  package var gaps: [RenderSummary.Gap] { thread == nil ? filled : [] }

  /// The number of gaps so far, and the frame in the file where the latest begins. From any thread.
  var begunGaps: (count: Int, frame: Int) { producer.gaps.begun }

  /// Starts or stops a recording with the next frame that is rendered. From any thread.
  package func record(_ starts: Bool) {
    recording?.request(starts, at: producer.ring.writtenCount + producer.overrunFrameCount)
    producer.writer.wake()
  }

  /// Throws if the sink cannot take so many frames.
  package func check(_ frameCount: Int) throws(Failure) { try sink.check(frameCount) }

  /// What the sink has measured; complete after `finish` or `abandon`.
  package var statistics: SinkStatistics { sink.statistics }

  /// Writes all pushed frames and all that the sink holds. After that, only the file's final name
  /// is missing.
  package func complete() throws(Failure) {
    endWriting(abandoning: false)
    do throws(Failure) {
      if let failure { throw failure }
      try sink.complete()
    } catch {
      guard let partial = try sink.abandon(keepingPartial: isLive) else { throw error }
      throw Failure(
        error.code, error.path, "\(error.message); what was recorded before is in \(partial)")
    }
  }

  /// Writes all pushed frames and completes the sink.
  package func finish() throws(Failure) {
    try complete()
    try sink.finish()
  }

  /// Gives up. With `keepingPartial`, pushed frames are written first. Returns the path of the
  /// partial file.
  package func abandon(keepingPartial: Bool) throws(Failure) -> String? {
    endWriting(abandoning: !keepingPartial)
    return try sink.abandon(keepingPartial: keepingPartial && (failure == nil || isLive))
  }

  /// Stops a write that waits for a pipe. From any thread.
  package func interrupt() { sink.interrupt() }

  private func endWriting(abandoning: Bool) {
    if abandoning {
      isAbandoned.store(true, ordering: .relaxed)
      sink.interrupt()
    }
    // Closes a gap that lasts to the end; there is room for it as soon as an older gap is filled.
    while !producer.endGap(), !abandoning, !hasFailed { producer.waitForWriter(seconds: 0.01) }
    producer.ring.end()
    if !writesBehind, !abandoning { writeAll() }
    producer.writer.wake()
    thread?.join()
    processorSeconds += thread?.processorSeconds ?? 0
    thread = nil
  }

  /// Writes silence in place of frames that were lost.
  private func fill(_ gap: GapLog.Gap) throws(Failure) {
    if filled.count < RenderSummary.rememberedEventCount {
      filled.append(RenderSummary.Gap(frame: sink.nextFrame, frames: gap.frameCount))
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
    do throws(Failure) {
      while !isAbandoned.load(ordering: .relaxed) {
        let isEnded = ring.isEnded
        let available = ring.readableCount
        // Read after `readableCount`: a thread that sees a frame behind a gap also sees the gap.
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
    do throws(Failure) {
      while producer.ring.readableCount > 0, !hasFailed {
        try writeOldest(producer.ring.readableCount)
      }
    } catch {
      fail(error)
    }
  }

  /// Writes the oldest frames, at most `most`.
  private func writeOldest(_ most: Int) throws(Failure) {
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

  private func fail(_ error: Failure) {
    failure = error
    producer.fail()
  }
}
