import CRealtime
package import FxAudio
package import FxFrames
package import FxMedia
import Synchronization

/// Reads a source ahead on a thread of its own, so that rendering finds its frames ready; or on the thread
/// that takes them, as it needs them.
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

  /// True where the sound comes as it is made or sent, and somebody may hear it at once.
  package let isStream: Bool
  /// True for a feed that can go to another place.
  package let canJump: Bool
  private let source: any AudioSource
  private let readsAhead: Bool
  /// The floating-point mode that it is read in; a chain is rendered in another one.
  private let mode = fx_floating_point_mode()
  /// True once there has been a frame, or where none is needed. Only the thread that reads uses it.
  private var hasSound: Bool
  private let isStopped = Atomic<Bool>(false)
  private let failure = Mutex<IOError?>(nil)
  /// Where to go on, and the number of the jump.
  private let asked = Mutex<(jump: SourceJump, number: Int)?>(nil)
  private let isAsked = Atomic<Bool>(false)
  private var thread: WorkerThread?

  /// Frames that are read at once where nothing is read ahead: few enough to stay in the cache.
  private static let piece = 8192

  /// Starts reading at once where it reads ahead.
  ///
  /// - Parameters:
  ///   - capacity: frames to be read ahead; nil for what suits the width.
  ///   - blockFrameCount: what is taken at once; four of these are read ahead.
  ///   - startFrame: where reading begins.
  ///   - mustHaveSound: whether a source without a single frame is an error; of a file it is.
  ///   - refillFrameCount: frames that a stream has to have before it plays, and again after it ran dry.
  ///   - canJump: whether it may go to another place, as live; a source that goes round has to
  ///     be a `LoopedSource`.
  ///   - readsAhead: false where who takes the frames is to read the source itself, in `wait`; not for
  ///     one that can jump, nor for one that has to have frames before it plays.
  package init(
    _ source: any AudioSource, startFrame: Int = 0, capacity: Int? = nil, blockFrameCount: Int = 0,
    mustHaveSound: Bool = false, canJump: Bool = false, refillFrameCount: Int = 0,
    readsAhead: Bool = true
  ) throws(IOError) {
    self.readsAhead = readsAhead
    self.source = source
    // Behind the beginning there may be nothing left.
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
    if !readsAhead { consumer.end() }
  }

  /// Processor seconds of its thread; 0 before `stop`.
  var processorSeconds: Double { thread?.processorSeconds ?? 0 }

  /// Waits until `frameCount` frames can be taken (or half of what is read ahead, where that is
  /// less), or all there will ever be. Reads them, where nothing is read ahead.
  package func wait(frameCount: Int) {
    // The reader may sleep while half the ring is full.
    let wanted = min(frameCount, consumer.ring.capacity / 2)
    guard readsAhead else { return read(until: wanted) }
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
    let places = makePlaces()
    defer { places.deallocate() }
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
        if try !readOnce(into: ring, places) {
          guard canJump else { break }
          // It may be asked for another place later.
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

  /// Reads on the thread that takes, until so many frames are there, or all there will ever be.
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
    do throws(IOError) {
      while isThere, ring.readableCount < wanted {
        isThere = isStopped.load(ordering: .relaxed) ? false : try readOnce(into: ring, places)
      }
    } catch {
      failure.withLock { $0 = error }
      isThere = false
    }
    if !isThere { consumer.end() }
  }

  /// A place for each channel's address.
  private func makePlaces() -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    .allocate(capacity: max(format.channelCount, 1))
  }

  /// Reads what a ring has room for in a row. False at the end.
  private func readOnce(
    into ring: PlanarRing, _ places: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) throws(IOError) -> Bool {
    var span = ring.writableCount
    for channel in 0..<format.channelCount {
      let (place, count) = ring.writePointer(channel)
      (places + channel).initialize(to: place)
      span = min(span, count)
    }
    let count = try source.read(into: UnsafePointer(places), frameCount: span)
    guard count > 0 || hasSound else {
      throw IOError(.empty, name, "there is no sound in it: not one frame could be decoded")
    }
    hasSound = true
    if count > 0 { ring.advanceHead(count) }
    return count > 0
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
