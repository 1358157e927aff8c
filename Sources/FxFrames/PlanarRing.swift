import CRealtime
import Synchronization

/// A queue of frames between one writing and one reading thread, without locks. Both sides are safe
/// on a real-time thread.
///
/// A view that both threads copy; the feed that made it destroys it after its threads have ended.
package struct PlanarRing: BitwiseCopyable, @unchecked Sendable {
  // Sendable: head belongs to the writer, tail to the reader, each reads the other's with the
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

  /// The frames of a feed's ring: as many as are asked for or suit the width, and four blocks.
  package static func feedCapacity(channelCount: Int, capacity: Int?, blockFrameCount: Int) -> Int {
    max(capacity ?? max(8192, 131_072 / max(channelCount, 1)), 4 * blockFrameCount)
  }

  /// The frames of a ring that waits for a slow disk: eight seconds, or 64 MB where that is less.
  package static func patientCapacity(channelCount: Int, sampleRate: Double) -> Int {
    let seconds = sampleRate.isFinite && sampleRate < 1e7 ? Int(sampleRate * 8) : 1 << 19
    return min(max(seconds, 8192), (1 << 24) / max(channelCount, 1))
  }

  package static func capacity(atLeast frameCount: Int) -> Int {
    var capacity = 64
    while capacity < frameCount { capacity *= 2 }
    return capacity
  }

  /// Room for at least so many frames, rounded up to a power of two. With `isTouched` no page of it is
  /// missing later; otherwise a short sound takes only the pages that it needs.
  package static func make(
    channelCount: Int, minimumCapacity: Int, isTouched: Bool = true
  ) -> PlanarRing {
    let capacity = Self.capacity(atLeast: minimumCapacity)
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State())
    let total = max(capacity * channelCount, 1)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: total)
    // A frame is written before it is read.
    if isTouched { samples.initialize(repeating: 0, count: total) }
    return PlanarRing(
      channelCount: channelCount, capacity: capacity, state: state, samples: samples)
  }

  package func destroy() {
    state.deinitialize(count: 1)
    state.deallocate()
    samples.deallocate()
  }

  /// Empties it. Neither side may use it meanwhile.
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

  /// Frames that were written so far; for the writer.
  package var writtenCount: Int {
    @_noLocks get { state.pointee.head.load(ordering: .relaxed) }
  }

  /// Frames that were read so far; for the reader.
  package var readCount: Int {
    @_noLocks get { state.pointee.tail.load(ordering: .relaxed) }
  }

  /// True once the writer has said that nothing more comes. What is readable then stays so.
  package var isEnded: Bool {
    @_noLocks get { state.pointee.isEnded.load(ordering: .acquiring) }
  }

  @_noLocks
  package func end() { state.pointee.isEnded.store(true, ordering: .releasing) }

  /// Where a channel's frames from the writing position on lie, and how many fit up to the wrap.
  @_noLocks
  package func writePointer(_ channel: Int) -> (pointer: UnsafeMutablePointer<Float>, count: Int) {
    let offset = state.pointee.head.load(ordering: .relaxed) & (capacity &- 1)
    return (samples + (channel &* capacity &+ offset), capacity &- offset)
  }

  /// Hands over what was written at `writePointer`.
  @_noLocks
  package func advanceHead(_ count: Int) {
    let head = state.pointee.head.load(ordering: .relaxed)
    state.pointee.head.store(head &+ count, ordering: .releasing)
  }

  /// Where a channel's next frames lie, and how many there are before the wrap.
  @_noLocks
  package func readPointer(_ channel: Int) -> (pointer: UnsafePointer<Float>, count: Int) {
    let offset = state.pointee.tail.load(ordering: .relaxed) & (capacity &- 1)
    return (UnsafePointer(samples + (channel &* capacity &+ offset)), capacity &- offset)
  }

  /// Gives back the room of what was read at `readPointer`.
  @_noLocks
  package func advanceTail(_ count: Int) {
    let tail = state.pointee.tail.load(ordering: .relaxed)
    state.pointee.tail.store(tail &+ count, ordering: .releasing)
  }

  /// Writes up to `frameCount` frames. Returns how many there was room for.
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

  /// Reads up to `frameCount` frames. Returns how many there were.
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

  /// Drops up to `frameCount` frames. Returns how many there were.
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

/// One side of a feed that sleeps until the other has made progress.
///
/// The sleeper says that it is about to sleep, looks once more, and sleeps; the other side makes
/// progress, and then looks whether somebody sleeps. In a single order of these four one of them
/// sees the other.
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

  /// The same for so many seconds at most.
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

  /// The same; true where it slept.
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
