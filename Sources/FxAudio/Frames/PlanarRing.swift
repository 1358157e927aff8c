import CRealtime
import Synchronization

/// A lock-free queue of frames between one producer and one consumer thread. Both sides are safe on
/// a real-time thread.
///
/// A view that both threads copy. Its owner destroys it after both threads have ended.
package struct PlanarRing: BitwiseCopyable, @unchecked Sendable {
  // Sendable: head belongs to the producer, tail to the consumer. Each reads the other's with the
  // ordering that publishes the samples before it.

  /// Head and tail each have a cache line of their own.
  private struct State: ~Copyable {
    let head = Atomic<Int>(0)
    let headPadding = InlineArray<15, Int>(repeating: 0)
    let tail = Atomic<Int>(0)
    let tailPadding = InlineArray<15, Int>(repeating: 0)
    let isEnded = Atomic<Bool>(false)
  }

  package let channelCount: Int
  package let capacity: Int
  private let state: UnsafeMutablePointer<State>
  private let samples: UnsafeMutablePointer<Float>

  /// The capacity of a feed's ring: the requested frames, or a default for the channel count; at
  /// least four blocks.
  package static func feedCapacity(channelCount: Int, capacity: Int?, blockFrameCount: Int) -> Int {
    max(capacity ?? max(8192, 131_072 / max(channelCount, 1)), 4 * blockFrameCount)
  }

  /// The capacity of a ring that waits for a slow disk: eight seconds, or 64 MB where that is less.
  package static func patientCapacity(channelCount: Int, sampleRate: Double) -> Int {
    let seconds = sampleRate.isFinite && sampleRate < 1e7 ? Int(sampleRate * 8) : 1 << 19
    return min(max(seconds, 8192), (1 << 24) / max(channelCount, 1))
  }

  package static func capacity(atLeast frameCount: Int) -> Int {
    var capacity = 64
    while capacity < frameCount { capacity *= 2 }
    return capacity
  }

  /// Allocates at least `minimumCapacity` frames, rounded up to a power of two. With `isTouched`
  /// all pages are mapped now, so no page fault happens later. Otherwise a short sound uses only
  /// the pages that it needs.
  package static func make(
    channelCount: Int, minimumCapacity: Int, isTouched: Bool = true
  ) -> PlanarRing {
    let capacity = Self.capacity(atLeast: minimumCapacity)
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State())
    let total = max(capacity * channelCount, 1)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: total)
    // Uninitialized samples are safe: a frame is always written before it is read.
    if isTouched { samples.initialize(repeating: 0, count: total) }
    return PlanarRing(
      channelCount: channelCount, capacity: capacity, state: state, samples: samples)
  }

  package func destroy() {
    state.deinitialize(count: 1)
    state.deallocate()
    samples.deallocate()
  }

  /// Empties the ring. Neither side may use it meanwhile.
  package func clear() {
    state.pointee.head.store(0, ordering: .relaxed)
    state.pointee.tail.store(0, ordering: .relaxed)
    state.pointee.isEnded.store(false, ordering: .releasing)
  }

  // MARK: - Realtime

  /// Frames that can be read now.
  package var readableCount: Int {
    @_noLocks get {
      state.pointee.head.load(ordering: .acquiring)
        &- state.pointee.tail.load(ordering: .relaxed)
    }
  }

  /// Frames that can be written now.
  package var writableCount: Int {
    @_noLocks get {
      capacity
        &- (state.pointee.head.load(ordering: .relaxed)
          &- state.pointee.tail.load(ordering: .acquiring))
    }
  }

  /// Frames written so far; for the producer.
  package var writtenCount: Int {
    @_noLocks get { state.pointee.head.load(ordering: .relaxed) }
  }

  /// Frames read so far; for the consumer.
  package var readCount: Int {
    @_noLocks get { state.pointee.tail.load(ordering: .relaxed) }
  }

  /// True once the producer has ended the ring. The readable frames stay readable.
  package var isEnded: Bool {
    @_noLocks get { state.pointee.isEnded.load(ordering: .acquiring) }
  }

  @_noLocks
  package func end() { state.pointee.isEnded.store(true, ordering: .releasing) }

  /// The address of a channel's frame at the writing position, and the frames up to the wrap.
  @_noLocks
  package func writePointer(_ channel: Int) -> (pointer: UnsafeMutablePointer<Float>, count: Int) {
    let offset = state.pointee.head.load(ordering: .relaxed) & (capacity &- 1)
    return (samples + (channel &* capacity &+ offset), capacity &- offset)
  }

  /// The address of a channel's frame that was written `count` frames ago, and the frames up to the wrap or
  /// the writing position. The producer may change frames that the consumer does not reach meanwhile, and
  /// publishes the change with `advanceHead(0)`.
  @_noLocks
  package func writtenPointer(
    _ channel: Int, framesAgo count: Int
  ) -> (pointer: UnsafeMutablePointer<Float>, count: Int) {
    let place = state.pointee.head.load(ordering: .relaxed) &- count
    let offset = place & (capacity &- 1)
    return (samples + (channel &* capacity &+ offset), min(capacity &- offset, count))
  }

  /// Publishes the frames that were written at `writePointer`.
  @_noLocks
  package func advanceHead(_ count: Int) {
    let head = state.pointee.head.load(ordering: .relaxed)
    state.pointee.head.store(head &+ count, ordering: .releasing)
  }

  /// The address of a channel's next frame to read, and the frames up to the wrap.
  @_noLocks
  package func readPointer(_ channel: Int) -> (pointer: UnsafePointer<Float>, count: Int) {
    let offset = state.pointee.tail.load(ordering: .relaxed) & (capacity &- 1)
    return (UnsafePointer(samples + (channel &* capacity &+ offset)), capacity &- offset)
  }

  /// Frees the frames that were read at `readPointer`.
  @_noLocks
  package func advanceTail(_ count: Int) {
    let tail = state.pointee.tail.load(ordering: .relaxed)
    state.pointee.tail.store(tail &+ count, ordering: .releasing)
  }

  /// Writes up to `frameCount` frames. Returns the number written.
  @_noLocks
  package func push(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) -> Int {
    let room = writableCount
    let count = frameCount < room ? frameCount : room
    for channel in 0..<channelCount {
      let (place, beforeWrap) = writePointer(channel)
      let first = count < beforeWrap ? count : beforeWrap
      copy(channels[channel], to: place, first)
      copy(channels[channel] + first, to: samples + channel &* capacity, count &- first)
    }
    advanceHead(count)
    return count
  }

  /// Reads up to `frameCount` frames. Returns the number read.
  @_noLocks
  package func take(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int)
    -> Int
  {
    let available = readableCount
    let count = frameCount < available ? frameCount : available
    for channel in 0..<channelCount {
      let (place, beforeWrap) = readPointer(channel)
      let first = count < beforeWrap ? count : beforeWrap
      copy(place, to: channels[channel], first)
      copy(samples + channel &* capacity, to: channels[channel] + first, count &- first)
    }
    advanceTail(count)
    return count
  }

  /// Drops up to `frameCount` frames. Returns the number dropped.
  @_noLocks
  package func drop(_ frameCount: Int) -> Int {
    let available = readableCount
    let count = frameCount < available ? frameCount : available
    advanceTail(count)
    return count
  }

  @_noLocks
  private func copy(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    guard count > 0 else { return }
    UnsafeMutableRawPointer(target).copyMemory(
      from: source, byteCount: count &* MemoryLayout<Float>.stride)
  }
}

/// One side of a feed that sleeps until the other side has made progress.
///
/// The sleeper sets its flag, checks the condition once more, and sleeps. The other side makes
/// progress, and then checks the flag. The fences put these four steps in a single order, so at
/// least one side sees the other's step.
package struct Sleeper: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the flag is atomic.
  private let wakeup: Wakeup
  private let isSleeping: UnsafeMutablePointer<Atomic<Bool>>

  package static func make() -> Sleeper {
    let flag = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
    flag.initialize(to: Atomic(false))
    return Sleeper(wakeup: .make(), isSleeping: flag)
  }

  package func destroy() {
    wakeup.destroy()
    isSleeping.deinitialize(count: 1)
    isSleeping.deallocate()
  }

  /// Sleeps until `condition` holds.
  package func sleep(until condition: () -> Bool) {
    while !condition() {
      isSleeping.pointee.store(true, ordering: .sequentiallyConsistent)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      if condition() {
        isSleeping.pointee.store(false, ordering: .relaxed)
        return
      }
      wakeup.wait()
    }
  }

  /// The same, for at most `seconds`.
  package func sleep(seconds: Double, until condition: () -> Bool) {
    let end = fx_monotonic_seconds() + seconds
    while !condition() {
      isSleeping.pointee.store(true, ordering: .sequentiallyConsistent)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      let left = end - fx_monotonic_seconds()
      if condition() || left <= 0 {
        isSleeping.pointee.store(false, ordering: .relaxed)
        return
      }
      _ = wakeup.wait(seconds: left)
    }
  }

  // MARK: - Realtime

  /// Wakes the other side if it sleeps.
  @_noLocks
  package func wake() { _ = wakes() }

  /// The same; true when the other side was asleep.
  @_noLocks
  package func wakes() -> Bool {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard isSleeping.pointee.load(ordering: .relaxed),
      isSleeping.pointee.exchange(false, ordering: .acquiringAndReleasing)
    else { return false }
    wakeup.signal()
    return true
  }
}
