package import FxAudio
package import FxFrames
package import FxMedia
import Synchronization

/// Reads a source ahead on a thread of its own, so that rendering finds its frames ready.
///
/// One other thread takes them.
package final class SourceFeed: @unchecked Sendable {
  // Sendable: the source belongs to the reader thread until `stop`, the rings to both, the error is
  // published by a ring's end.
  package let name: String
  package let format: StreamFormat
  /// What is left of the source from where reading began, as far as it said so.
  package let frameCount: Int?
  /// All of it; where it goes round, of the source that does.
  package let wholeFrameCount: Int?
  /// True for what stands in where there is nothing to read.
  let isSilence: Bool
  /// What it went round in at first.
  package let loop: SourceLoop?
  /// The taking side, for the render thread.
  let consumer: FeedConsumer

  /// True for a feed that can go to another place.
  package let canJump: Bool
  private let source: any AudioSource
  /// Whether reading nothing at all is an error.
  private let mustHaveSound: Bool
  private let isStopped = Atomic<Bool>(false)
  private let failure = Mutex<IOError?>(nil)
  /// Where to go on, and the number of the jump.
  private let asked = Mutex<(jump: SourceJump, number: Int)?>(nil)
  private let isAsked = Atomic<Bool>(false)
  private var thread: WorkerThread?

  /// Starts reading at once.
  ///
  /// - Parameters:
  ///   - capacity: frames to be read ahead; nil for what suits the width.
  ///   - blockFrameCount: what is taken at once; four of these are read ahead.
  ///   - startFrame: where reading begins.
  ///   - mustHaveSound: whether a source without a single frame is an error; of a file it is.
  ///   - refillFrameCount: frames that a stream has to have before it plays, and again after it ran dry.
  ///   - canJump: whether it may go to another place, as live; a source that goes round has to
  ///     be a `LoopedSource`.
  package init(
    _ source: any AudioSource, startFrame: Int = 0, capacity: Int? = nil, blockFrameCount: Int = 0,
    mustHaveSound: Bool = false, canJump: Bool = false, refillFrameCount: Int = 0
  ) throws(IOError) {
    self.source = source
    // Behind the beginning there may be nothing left.
    self.mustHaveSound = mustHaveSound && startFrame == 0
    self.canJump = canJump && source.isSeekable
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
        capacity: refillFrameCount > 0 ? 2 * refillFrameCount : capacity,
        blockFrameCount: blockFrameCount),
      hasSecondRing: self.canJump, refillFrameCount: refillFrameCount, isTouched: canJump)
    var code: Int32 = 0
    // The body holds the feed weakly: `deinit` stops it.
    let context = Unmanaged.passUnretained(self)
    thread = WorkerThread(
      stackByteCount: WorkerThread.readerStackByteCount, failure: &code
    ) {
      context.takeUnretainedValue().readAhead()
    }
    guard thread != nil else {
      throw IOError(
        .threadUnavailable, name, "no thread to read it: \(IOError.systemMessage(code))")
    }
  }

  deinit {
    stop()
    consumer.destroy()
  }

  /// Ends reading; what was read can still be taken.
  package func stop() {
    isStopped.store(true, ordering: .relaxed)
    source.interrupt()
    consumer.reader.wake()
    thread?.join()
  }

  /// Processor seconds of its thread; 0 before `stop`.
  var processorSeconds: Double { thread?.processorSeconds ?? 0 }

  /// Waits until `frameCount` frames can be taken (or half of what is read ahead, where that is
  /// less), or all there will ever be.
  package func wait(frameCount: Int) {
    // The reader may sleep while half the ring is full.
    let wanted = min(frameCount, consumer.ring.capacity / 2)
    consumer.taker.sleep { consumer.ring.readableCount >= wanted || consumer.ring.isEnded }
  }

  /// The same for so many seconds at most.
  func wait(frameCount: Int, seconds: Double) {
    let wanted = min(frameCount, consumer.ring.capacity / 2)
    consumer.taker.sleep(seconds: seconds) {
      consumer.ring.readableCount >= wanted || consumer.ring.isEnded
    }
  }

  /// True when half of what is read ahead is there, or all there will ever be; of a stream what it has
  /// to have.
  var isReady: Bool {
    guard consumer.refillFrameCount == 0 else {
      return consumer.ring.readableCount >= consumer.refillFrameCount || consumer.ring.isEnded
    }
    return consumer.ring.readableCount >= consumer.ring.capacity / 2 || consumer.ring.isEnded
  }

  /// True when so many frames can be taken (or half of what is read ahead, where that is less), or all
  /// there will ever be.
  func hasFrames(_ frameCount: Int) -> Bool { consumer.hasFrames(frameCount) }

  /// Takes up to `frameCount` frames that are ready. Returns how many.
  package func take(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) -> Int {
    consumer.take(into: channels, frameCount: frameCount)
  }

  /// Times that a stream ran dry, and that it had enough again. From any thread.
  var gapCounts: (begun: Int, ended: Int) { consumer.gapCounts }

  /// Seconds that a stream has to have before it plays; 0 for anything else.
  package var refillSeconds: Double { Double(consumer.refillFrameCount) / format.sampleRate }

  /// Seconds that were taken so far; from any thread.
  package var takenSeconds: Double { Double(consumer.ring.readCount) / format.sampleRate }

  /// True when the source has ended or failed and everything has been taken.
  package var isExhausted: Bool { consumer.isExhausted }

  /// Why reading ended early; to be asked when `isExhausted`.
  package var error: IOError? { consumer.ring.isEnded ? failure.withLock { $0 } : nil }

  /// The source's warnings, complete once `isExhausted`.
  package var warnings: [String] { consumer.ring.isEnded ? source.warnings : [] }

  /// Reads from another place on, into the ring that is not taken from. Not before the last jump is
  /// over.
  func prepare(_ jump: SourceJump, number: Int) {
    asked.withLock { $0 = (jump, number) }
    isAsked.store(true, ordering: .releasing)
    consumer.reader.wake()
  }

  /// Waits until a jump can be made, or so many seconds.
  func wait(forJump number: Int, seconds: Double) {
    consumer.taker.sleep(seconds: seconds) { consumer.isReady(forJump: number) }
  }

  private func readAhead() {
    var ring = consumer.ring
    let block = min(8192, ring.capacity / 4)
    let width = format.channelCount
    let places = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: max(width, 1))
    defer { places.deallocate() }
    var hasSound = !mustHaveSound
    do throws(IOError) {
      while !isStopped.load(ordering: .relaxed) {
        if isAsked.load(ordering: .acquiring) {
          try jump(&ring)
          hasSound = true
        }
        let room = ring.isEnded ? 0 : ring.writableCount
        guard room >= block else {
          // Half empty before reading goes on: few changes of thread.
          consumer.reader.sleep {
            !ring.isEnded && ring.writableCount >= ring.capacity / 2
              || isStopped.load(ordering: .relaxed) || isAsked.load(ordering: .acquiring)
          }
          continue
        }
        var span = room
        for channel in 0..<width {
          let (place, count) = ring.writePointer(channel)
          (places + channel).initialize(to: place)
          span = min(span, count)
        }
        let count = try source.read(into: UnsafePointer(places), frameCount: span)
        if count > 0 {
          ring.advanceHead(count)
          hasSound = true
        } else if !hasSound {
          throw IOError(
            .empty, name, "there is no sound in it: not one frame could be decoded")
        } else if canJump {
          // It may be asked for another place later.
          ring.end()
        } else {
          break
        }
        consumer.taker.wake()
      }
    } catch {
      failure.withLock { $0 = error }
    }
    consumer.end()
    consumer.taker.wake()
  }

  /// Goes where it was asked to.
  private func jump(_ ring: inout PlanarRing) throws(IOError) {
    isAsked.store(false, ordering: .relaxed)
    guard let (jump, number) = asked.withLock({ $0 }), canJump else { return }
    ring = consumer.ring(ofJump: number)
    ring.clear()
    consumer.markPrepared(number)
    try source.go(to: jump.position, jump.loop)
  }
}

/// What the render thread holds of a feed: a ring, and where the feed can jump another one, which is
/// filled from the new place while the first one is still taken from.
struct FeedConsumer: BitwiseCopyable, @unchecked Sendable {
  // Sendable: made of views that are; the numbers are atomic.
  private struct Numbers: ~Copyable {
    /// The jump that is taken from now; even numbers use the first ring.
    let current = Atomic<Int>(0)
    /// The jump whose ring has been emptied and is being filled.
    let prepared = Atomic<Int>(0)
    let isOver = Atomic<Bool>(false)
    let gapsBegun = Atomic<Int>(0)
    let gapsEnded = Atomic<Int>(0)
  }

  private let rings: (PlanarRing, PlanarRing)
  private let hasSecondRing: Bool
  /// Frames that a stream has to have before it plays on; 0 for what plays whatever it has.
  let refillFrameCount: Int
  private let numbers: UnsafeMutablePointer<Numbers>
  let reader: Sleeper
  let taker: Sleeper

  static func make(
    channelCount: Int, capacity: Int, hasSecondRing: Bool, refillFrameCount: Int = 0,
    isTouched: Bool
  ) -> FeedConsumer {
    let first = PlanarRing.make(
      channelCount: channelCount, minimumCapacity: capacity, isTouched: isTouched)
    let second =
      hasSecondRing
      ? PlanarRing.make(channelCount: channelCount, minimumCapacity: capacity, isTouched: isTouched)
      : first
    let numbers = UnsafeMutablePointer<Numbers>.allocate(capacity: 1)
    numbers.initialize(to: Numbers())
    return FeedConsumer(
      rings: (first, second), hasSecondRing: hasSecondRing, refillFrameCount: refillFrameCount,
      numbers: numbers, reader: .make(), taker: .make())
  }

  func destroy() {
    rings.0.destroy()
    if hasSecondRing { rings.1.destroy() }
    numbers.deinitialize(count: 1)
    numbers.deallocate()
    reader.destroy()
    taker.destroy()
  }

  // MARK: On the reader's thread

  func markPrepared(_ number: Int) { numbers.pointee.prepared.store(number, ordering: .releasing) }

  /// Nothing more comes, whatever is asked.
  func end() {
    numbers.pointee.isOver.store(true, ordering: .releasing)
    rings.0.end()
    if hasSecondRing { rings.1.end() }
  }

  // MARK: - Realtime

  /// Where frames are taken from.
  var ring: PlanarRing {
    @_noLocks get { ring(ofJump: numbers.pointee.current.load(ordering: .relaxed)) }
  }

  @_noLocks
  func ring(ofJump number: Int) -> PlanarRing { number & 1 == 0 ? rings.0 : rings.1 }

  /// True when enough has been read from the new place, or all there will ever be.
  @_noLocks
  func isReady(forJump number: Int) -> Bool {
    if numbers.pointee.isOver.load(ordering: .acquiring) { return true }
    guard numbers.pointee.prepared.load(ordering: .acquiring) == number else { return false }
    let next = ring(ofJump: number)
    return next.readableCount >= next.capacity / 4 || next.isEnded
  }

  /// Takes from the ring of a jump from now on.
  @_noLocks
  func switchTo(jump number: Int) {
    numbers.pointee.current.store(number, ordering: .relaxed)
    if numbers.pointee.prepared.load(ordering: .relaxed) != number {
      // Reading has failed before it came to this; what is here is from another place.
      _ = ring.drop(ring.readableCount)
    }
    if ring.readableCount <= ring.capacity / 2 { reader.wake() }
  }

  /// True when so many frames can be taken (or half of what is read ahead, where that is less), or all
  /// there will ever be.
  @_noLocks
  func hasFrames(_ frameCount: Int) -> Bool {
    // A stream that ran dry is silent meanwhile.
    if isRefilling { return true }
    let ring = ring
    return ring.readableCount >= min(frameCount, ring.capacity / 2) || ring.isEnded
  }

  /// True from where a stream ran dry to where it has enough again.
  var isRefilling: Bool {
    @_noLocks get {
      let counts = gapCounts
      return counts.begun != counts.ended
    }
  }

  var gapCounts: (begun: Int, ended: Int) {
    @_noLocks get {
      (
        numbers.pointee.gapsBegun.load(ordering: .relaxed),
        numbers.pointee.gapsEnded.load(ordering: .relaxed)
      )
    }
  }

  /// True where a stream is silent because it ran dry.
  @_noLocks
  private func waits(for frameCount: Int, _ ring: PlanarRing) -> Bool {
    let readable = ring.readableCount
    let isEnded = ring.isEnded
    let (begun, ended) = gapCounts
    if begun != ended {
      guard readable >= refillFrameCount || isEnded else { return true }
      numbers.pointee.gapsEnded.store(begun, ordering: .relaxed)
    } else if readable < frameCount, !isEnded {
      numbers.pointee.gapsBegun.store(begun &+ 1, ordering: .relaxed)
    }
    return false
  }

  @_noLocks
  func take(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
    let ring = ring
    if refillFrameCount > 0, waits(for: frameCount, ring) { return 0 }
    let count = ring.take(into: channels, frameCount: frameCount)
    // The reader sleeps until half the ring is free; before that there is nothing to look at.
    if ring.readableCount <= ring.capacity / 2 { reader.wake() }
    return count
  }

  var isExhausted: Bool {
    @_noLocks get {
      let ring = ring
      return ring.isEnded && ring.readableCount == 0
    }
  }
}
