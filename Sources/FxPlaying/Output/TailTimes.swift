import Synchronization

/// What the thread that supervises says of a tail that units declare, while their parameters move.
struct TailTimes: ~Copyable {
  /// Frames behind the sound.
  private let frames = Atomic<Int>(0)
  /// A frame that it does not end before.
  private let end = Atomic<Int>(0)

  func set(_ frameCount: Int) { frames.store(frameCount, ordering: .relaxed) }

  func keep(until frame: Int) { end.store(frame, ordering: .relaxed) }

  // MARK: - Realtime

  /// Where the tail of a sound ends that ends at `main`.
  @_noLocks
  func end(behind main: Int, atLeast least: Int) -> Int {
    let declared = frames.load(ordering: .relaxed)
    let own = main &+ (declared > least ? declared : least)
    let other = end.load(ordering: .relaxed)
    return own > other ? own : other
  }
}
