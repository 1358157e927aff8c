import CRealtime
package import FxAudio
package import FxMedia
import Synchronization

/// Reads a source ahead on a thread of its own, so that rendering finds its frames ready; or reads
/// it on the thread that takes the frames, as needed. Only one other thread may take frames.
package final class SourceFeed: @unchecked Sendable {
  // Sendable: the source belongs to the reader thread until `stop`. The rings belong to both
  // threads. A ring's end publishes the error.
  package let name: String
  package let format: StreamFormat
  /// Frames of the source from the start of reading to its end; nil if unknown.
  package let frameCount: Int?
  /// Frames of the whole source, with a loop ignored.
  package let wholeFrameCount: Int?
  /// True for silence in place of a missing source.
  let isSilence: Bool
  /// The loop that the source started with.
  package let loop: SourceLoop?
  /// The consumer side, for the render thread.
  let consumer: FeedConsumer

  /// True if the sound is produced or sent while it plays, and somebody may be listening.
  package let isStream: Bool
  /// True for a feed that can jump to another position.
  package let canJump: Bool
  private let source: any AudioSource
  private let readsAhead: Bool
  /// The schedule of a player that is read ahead.
  private let board: PlayerBoard?
  /// Frames from the consumer to a region that begins at once.
  private let lead: Int
  /// The floating-point mode for reading; a chain is rendered in a different mode.
  private let mode = fx_floating_point_mode()
  /// True after the first frame, or if no frame is required. Only the reading thread uses it.
  private var hasSound: Bool
  private let isStopped = Atomic<Bool>(false)
  private let failure = Mutex<Failure?>(nil)
  /// The position to jump to, and the number of the jump.
  private let asked = Mutex<(jump: SourceJump, number: Int)?>(nil)
  private let isAsked = Atomic<Bool>(false)
  private var thread: WorkerThread?

  private static let leadSeconds = 0.015

  /// Frames read at once without read-ahead: few enough to stay in the cache.
  private static let piece = 8192

  /// With read-ahead, starts reading at once.
  ///
  /// - Parameters:
  ///   - capacity: frames to read ahead; nil for a default that depends on the width.
  ///   - blockFrameCount: frames taken at once; at least four times as many are read ahead.
  ///   - startFrame: the frame where reading begins.
  ///   - mustHaveSound: whether a source without a single frame is an error; for files it is.
  ///   - refillFrameCount: frames that a stream must have before it plays, and again after it ran
  ///     dry.
  ///   - canJump: whether the feed may jump to another position, as in live playback; a looped
  ///     source must then be a `LoopedSource`.
  ///   - readsAhead: false if the thread that takes the frames also reads the source, in `wait`;
  ///     not for a feed that can jump or that has a `refillFrameCount`.
  package init(
    _ source: any AudioSource, startFrame: Int = 0, capacity: Int? = nil, blockFrameCount: Int = 0,
    mustHaveSound: Bool = false, canJump: Bool = false, refillFrameCount: Int = 0,
    readsAhead: Bool = true
  ) throws(Failure) {
    self.readsAhead = readsAhead
    board = readsAhead ? source.regions : nil
    lead = max(2 * blockFrameCount, Int(source.format.sampleRate * Self.leadSeconds))
    self.source = source
    // After the beginning there may be no frames left.
    hasSound = !mustHaveSound || startFrame > 0
    self.canJump = canJump && source.isSeekable
    isStream = !source.isSeekable || source.isStreamed
    name = source.name
    format = source.format
    loop = source.loop
    isSilence = source.isSilence
    wholeFrameCount = source.wholeFrameCount
    frameCount = source.frameCount.map { max($0 - startFrame, 0) }
    if startFrame > 0 { try source.seek(toFrame: startFrame) }
    consumer = .make(
      channelCount: format.channelCount,
      capacity: PlanarRing.feedCapacity(
        channelCount: format.channelCount,
        capacity: readsAhead
          ? (refillFrameCount > 0 ? 2 * refillFrameCount : capacity) : Self.piece,
        blockFrameCount: blockFrameCount),
      hasSecondRing: self.canJump, refillFrameCount: refillFrameCount, isTouched: canJump)
    guard readsAhead else { return }
    var code: Int32 = 0
    // The thread's body holds no reference to the feed: `deinit` stops the thread.
    let context = Unmanaged.passUnretained(self)
    thread = WorkerThread(
      stackByteCount: WorkerThread.readerStackByteCount, failure: &code
    ) {
      context.takeUnretainedValue().readAhead()
    }
    guard thread != nil else {
      throw Failure(
        .threadUnavailable, name, "no thread to read it: \(Failure.systemMessage(code))")
    }
    board?.wakeReader { [reader = consumer.reader] in reader.wake() }
  }

  deinit {
    stop()
    consumer.destroy()
  }

  /// Stops reading; frames that were read can still be taken.
  package func stop() {
    board?.wakeReader(with: nil)
    isStopped.store(true, ordering: .relaxed)
    source.interrupt()
    consumer.reader.wake()
    thread?.join()
    if !readsAhead { consumer.end() }
  }

  /// Processor seconds of the reader thread; 0 before `stop`.
  var processorSeconds: Double { thread?.processorSeconds ?? 0 }

  /// Waits until `frameCount` frames (or half of the ring, if that is less) can be taken, or the
  /// source has ended. Without read-ahead, reads them here.
  package func wait(frameCount: Int) {
    // The reader may sleep while half the ring is full.
    let wanted = min(frameCount, consumer.ring.capacity / 2)
    guard readsAhead else { return read(until: wanted) }
    consumer.taker.sleep { consumer.ring.readableCount >= wanted || consumer.ring.isEnded }
  }

  /// Waits for at most `seconds`.
  func wait(frameCount: Int, seconds: Double) {
    let wanted = min(frameCount, consumer.ring.capacity / 2)
    consumer.taker.sleep(seconds: seconds) {
      consumer.ring.readableCount >= wanted || consumer.ring.isEnded
    }
  }

  /// True when half of the ring is filled, or a stream has its `refillFrameCount`, or the source
  /// has ended.
  var isReady: Bool {
    guard consumer.refillFrameCount == 0 else {
      return consumer.ring.readableCount >= consumer.refillFrameCount || consumer.ring.isEnded
    }
    return consumer.ring.readableCount >= consumer.ring.capacity / 2 || consumer.ring.isEnded
  }

  /// True when `frameCount` frames (or half of the ring, if that is less) can be taken, or the
  /// source has ended.
  func hasFrames(_ frameCount: Int) -> Bool { consumer.hasFrames(frameCount) }

  /// Takes up to `frameCount` ready frames. Returns the number of frames taken.
  package func take(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) -> Int {
    consumer.take(into: channels, frameCount: frameCount)
  }

  /// How often a stream ran dry, and how often it had enough frames again. From any thread.
  var gapCounts: (begun: Int, ended: Int) { consumer.gapCounts }

  /// Seconds that a stream must have before it plays; 0 for other sources.
  package var refillSeconds: Double { Double(consumer.refillFrameCount) / format.sampleRate }

  /// Seconds taken so far. From any thread.
  package var takenSeconds: Double { Double(consumer.ring.readCount) / format.sampleRate }

  /// True when the source has ended or failed and everything has been taken.
  var isExhausted: Bool { consumer.isExhausted }

  /// The reason why reading ended early; valid once `isExhausted`.
  package var error: Failure? { consumer.ring.isEnded ? failure.withLock { $0 } : nil }

  /// The source's warnings, complete once `isExhausted`.
  package var warnings: [String] { consumer.ring.isEnded ? source.warnings : [] }

  /// Reads on from another position, into the ring that is not in use. Not before the last jump is
  /// over.
  func prepare(_ jump: SourceJump, number: Int) {
    asked.withLock { $0 = (jump, number) }
    isAsked.store(true, ordering: .releasing)
    consumer.reader.wake()
  }

  /// Waits until a jump can be made, for at most `seconds`.
  func wait(forJump number: Int, seconds: Double) {
    consumer.taker.sleep(seconds: seconds) { consumer.isReady(forJump: number) }
  }

  private func readAhead() {
    var ring = consumer.ring
    let block = min(8192, ring.capacity / 4)
    let places = makePlaces()
    defer { places.deallocate() }
    do throws(Failure) {
      while !isStopped.load(ordering: .relaxed) {
        if isAsked.load(ordering: .acquiring) {
          try jump(&ring)
          hasSound = true
        }
        // While a jump is prepared, nobody takes frames of this ring, and the region begins with it.
        if board?.hasUrgentRegions == true { source.beginUrgentRegions(in: ring, lead: lead) }
        let room = ring.isEnded ? 0 : ring.writableCount
        guard room >= block else {
          // Reading goes on when half of the ring is free, to save thread switches.
          consumer.reader.sleep {
            !ring.isEnded && ring.writableCount >= ring.capacity / 2
              || isStopped.load(ordering: .relaxed) || isAsked.load(ordering: .acquiring)
              || board?.hasUrgentRegions == true
          }
          continue
        }
        if try !readOnce(into: ring, places) {
          guard canJump else { break }
          // Keep running: a jump may come later.
          ring.end()
        }
        consumer.taker.wake()
      }
    } catch {
      failure.withLock { $0 = error }
    }
    consumer.end()
    consumer.taker.wake()
  }

  /// Reads on the calling thread until `wanted` frames are ready or the source has ended.
  private func read(until wanted: Int) {
    let ring = consumer.ring
    guard ring.readableCount < wanted, !ring.isEnded else { return }
    let before = fx_floating_point_mode()
    fx_set_floating_point_mode(mode)
    let places = makePlaces()
    defer {
      places.deallocate()
      fx_set_floating_point_mode(before)
    }
    var isThere = true
    do throws(Failure) {
      while isThere, ring.readableCount < wanted {
        isThere = isStopped.load(ordering: .relaxed) ? false : try readOnce(into: ring, places)
      }
    } catch {
      failure.withLock { $0 = error }
      isThere = false
    }
    if !isThere { consumer.end() }
  }

  /// An array for the address of each channel.
  private func makePlaces() -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    .allocate(capacity: max(format.channelCount, 1))
  }

  /// Reads as many frames as fit into the ring without wrapping. False at the end.
  private func readOnce(
    into ring: PlanarRing, _ places: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) throws(Failure) -> Bool {
    var span = ring.writableCount
    for channel in 0..<format.channelCount {
      let (place, count) = ring.writePointer(channel)
      (places + channel).initialize(to: place)
      span = min(span, count)
    }
    let count = try source.read(into: UnsafePointer(places), frameCount: span)
    guard count > 0 || hasSound else {
      throw Failure(.empty, name, "there is no sound in it: not one frame could be decoded")
    }
    hasSound = true
    if count > 0 { ring.advanceHead(count) }
    return count > 0
  }

  /// Jumps to the requested position.
  private func jump(_ ring: inout PlanarRing) throws(Failure) {
    isAsked.store(false, ordering: .relaxed)
    guard let (jump, number) = asked.withLock({ $0 }), canJump else { return }
    ring = consumer.ring(ofJump: number)
    ring.clear()
    consumer.markPrepared(number)
    try source.go(to: jump.position, jump.loop)
  }
}
