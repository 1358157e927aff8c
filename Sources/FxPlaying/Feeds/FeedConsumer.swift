import FxAudio
import Synchronization

/// The render thread's side of a source feed: a ring. A feed that can jump has a second ring, which
/// is filled from the new position while the render thread still reads the first.
struct FeedConsumer: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the views are Sendable, and the numbers are atomic.
  private struct Numbers: ~Copyable {
    /// The number of the jump that the render thread reads from; even numbers use the first ring.
    let current = Atomic<Int>(0)
    /// The number of the jump whose ring has been cleared and is being filled.
    let prepared = Atomic<Int>(0)
    let isOver = Atomic<Bool>(false)
    let gapsBegun = Atomic<Int>(0)
    let gapsEnded = Atomic<Int>(0)
    /// Frames that were not ready, in total, and where the latest silence in their place begins.
    let missing = Atomic<Int>(0)
    let missingFrom = Atomic<Int>(0)
    let isMissing = Atomic<Bool>(false)
  }

  private let rings: (PlanarRing, PlanarRing)
  private let hasSecondRing: Bool
  /// Frames that a stream must have before it plays, and again after it ran dry; 0 for other
  /// sources.
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

  /// No more frames will come, whatever is requested.
  func end() {
    numbers.pointee.isOver.store(true, ordering: .releasing)
    rings.0.end()
    if hasSecondRing { rings.1.end() }
  }

  // MARK: - Realtime

  /// The ring that frames are taken from.
  var ring: PlanarRing {
    @_noLocks get { ring(ofJump: numbers.pointee.current.load(ordering: .relaxed)) }
  }

  @_noLocks
  func ring(ofJump number: Int) -> PlanarRing { number & 1 == 0 ? rings.0 : rings.1 }

  /// True when a quarter of the ring has been read from the new position, or the source has ended.
  @_noLocks
  func isReady(forJump number: Int) -> Bool {
    if numbers.pointee.isOver.load(ordering: .acquiring) { return true }
    guard numbers.pointee.prepared.load(ordering: .acquiring) == number else { return false }
    let next = ring(ofJump: number)
    return next.readableCount >= next.capacity / 4 || next.isEnded
  }

  /// Takes frames from the ring of this jump from now on.
  @_noLocks
  func switchTo(jump number: Int) {
    numbers.pointee.current.store(number, ordering: .relaxed)
    if numbers.pointee.prepared.load(ordering: .relaxed) != number {
      // Reading failed before it reached this jump: the ring holds frames of an older position.
      _ = ring.drop(ring.readableCount)
    }
    if ring.readableCount <= ring.capacity / 2 { reader.wake() }
  }

  /// True when `frameCount` frames (or half of the ring, if that is less) can be taken, or the
  /// source has ended.
  @_noLocks
  func hasFrames(_ frameCount: Int) -> Bool {
    // A stream that ran dry plays silence until it has enough frames again.
    if isRefilling { return true }
    let ring = ring
    return ring.readableCount >= min(frameCount, ring.capacity / 2) || ring.isEnded
  }

  /// True from the moment a stream runs dry until it has enough frames again.
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

  /// True while a stream is silent because it ran dry.
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

  /// Frames of silence in place of frames that were not ready, the frame where the latest silence
  /// begins, and whether it lasts. From any thread.
  var missing: (count: Int, from: Int, lasts: Bool) {
    @_noLocks get {
      (
        numbers.pointee.missing.load(ordering: .relaxed),
        numbers.pointee.missingFrom.load(ordering: .relaxed),
        numbers.pointee.isMissing.load(ordering: .relaxed)
      )
    }
  }

  /// Records that `count` frames were not ready at `frame`; 0 when all were.
  @_noLocks
  func note(missing count: Int, at frame: Int) {
    if count > 0 {
      if !numbers.pointee.isMissing.load(ordering: .relaxed) {
        numbers.pointee.missingFrom.store(frame, ordering: .relaxed)
      }
      let before = numbers.pointee.missing.load(ordering: .relaxed)
      numbers.pointee.missing.store(before &+ count, ordering: .relaxed)
    }
    numbers.pointee.isMissing.store(count > 0, ordering: .relaxed)
  }

  @_noLocks
  func take(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
    let ring = ring
    if refillFrameCount > 0, waits(for: frameCount, ring) { return 0 }
    let count = ring.take(into: channels, frameCount: frameCount)
    // The reader sleeps until half the ring is free; before that, it has nothing to do.
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
