import FxAudio
import Synchronization

/// The render thread's side of a sink's feed.
struct FeedProducer: BitwiseCopyable, @unchecked Sendable {
  // Sendable: made of views and atomics.
  private struct Counters: ~Copyable {
    let hasFailed = Atomic<Bool>(false)
  }

  let ring: PlanarRing
  let gaps: GapLog
  let writer: Sleeper
  let pusher: Sleeper
  /// The writer is woken when the ring holds this many frames.
  let batch: Int
  private let counters: UnsafeMutablePointer<Counters>

  static func make(_ ring: PlanarRing, writesSoon: Bool) -> FeedProducer {
    let counters = UnsafeMutablePointer<Counters>.allocate(capacity: 1)
    counters.initialize(to: Counters())
    return FeedProducer(
      ring: ring, gaps: .make(), writer: .make(), pusher: .make(),
      batch: writesSoon ? block(ring) : ring.capacity / 2, counters: counters)
  }

  /// Frames that the writer handles at once.
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

  /// The most frames to wait for: the writer may sleep while less than half of the ring is full.
  var pieceFrameCount: Int { ring.capacity / 2 }

  /// Waits for room for `frameCount` frames, at most `pieceFrameCount`. False when the sink has
  /// failed.
  func waitForRoom(frameCount: Int) -> Bool {
    precondition(frameCount <= pieceFrameCount, "no ring has room for this at once")
    if ring.writableCount < frameCount {
      writer.wake()
      pusher.sleep { ring.writableCount >= frameCount || hasFailed }
    }
    return !hasFailed
  }

  /// Waits for room for at most `seconds`. True when there is room or the sink has failed.
  func waitForRoom(frameCount: Int, seconds: Double) -> Bool {
    let wanted = min(frameCount, pieceFrameCount)
    if ring.writableCount >= wanted || hasFailed { return true }
    writer.wake()
    pusher.sleep(seconds: seconds) { ring.writableCount >= wanted || hasFailed }
    return ring.writableCount >= wanted || hasFailed
  }

  /// Waits a short time for the writer.
  func waitForWriter(seconds: Double) {
    writer.wake()
    pusher.sleep(seconds: seconds) { false }
  }

  func fail() { counters.pointee.hasFailed.store(true, ordering: .releasing) }

  // MARK: - Realtime

  var hasFailed: Bool {
    @_noLocks get { counters.pointee.hasFailed.load(ordering: .acquiring) }
  }

  /// Pushes without waiting. Frames that do not fit are dropped and counted. While a gap is open, a
  /// push stores all its frames or none.
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

  /// Closes an open gap. False while there is no room to record it.
  @_noLocks
  func endGap() -> Bool { gaps.close(position: ring.writtenCount) }

  /// Counts frames that did not fit.
  @_noLocks
  func lose(_ frameCount: Int) {
    gaps.lose(frameCount, position: ring.writtenCount)
  }

  @_noLocks
  func wakeWriterWhenWorthwhile() {
    if ring.readableCount >= batch { writer.wake() }
  }
}
