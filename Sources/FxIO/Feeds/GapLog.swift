import Synchronization

/// Where a feed has lost frames because its ring was full: told by the thread that pushes to the one
/// that writes, which puts as much silence there.
///
/// A view that both threads copy; the feed that made it destroys it after its threads have ended.
struct GapLog: BitwiseCopyable, @unchecked Sendable {
  // Sendable: head belongs to the pushing thread, tail to the writing one; an entry is written before
  // the head that counts it.

  struct Gap: BitwiseCopyable, Hashable {
    /// Frames that were pushed before it.
    var position: Int
    var frameCount: Int
  }

  private struct State: ~Copyable {
    let head = Atomic<Int>(0)
    let tail = Atomic<Int>(0)
    /// Frames lost since the last that was pushed.
    let open = Atomic<Int>(0)
    let lost = Atomic<Int>(0)
    let begun = Atomic<Int>(0)
    let latest = Atomic<Int>(0)
  }

  /// A power of two.
  private static var capacity: Int {
    @_noLocks get { 1024 }
  }

  private let state: UnsafeMutablePointer<State>
  private let gaps: UnsafeMutablePointer<Gap>

  static func make() -> GapLog {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State())
    let gaps = UnsafeMutablePointer<Gap>.allocate(capacity: capacity)
    gaps.initialize(repeating: Gap(position: 0, frameCount: 0), count: capacity)
    return GapLog(state: state, gaps: gaps)
  }

  func destroy() {
    state.deinitialize(count: 1)
    state.deallocate()
    gaps.deallocate()
  }

  /// The earliest gap that is not filled; for the writing thread.
  var first: Gap? {
    let tail = state.pointee.tail.load(ordering: .relaxed)
    guard tail < state.pointee.head.load(ordering: .acquiring) else { return nil }
    return gaps[tail & (GapLog.capacity - 1)]
  }

  func removeFirst() {
    state.pointee.tail.store(
      state.pointee.tail.load(ordering: .relaxed) + 1, ordering: .releasing)
  }

  /// Gaps so far, and where in the file the latest begins. From any thread.
  var begun: (count: Int, frame: Int) {
    let count = state.pointee.begun.load(ordering: .acquiring)
    return (count, state.pointee.latest.load(ordering: .relaxed))
  }

  /// Frames lost so far. From any thread.
  var lostFrameCount: Int { state.pointee.lost.load(ordering: .relaxed) }

  // MARK: - Realtime

  /// True from a frame that was lost to one that was pushed.
  var isOpen: Bool {
    @_noLocks get { state.pointee.open.load(ordering: .relaxed) > 0 }
  }

  /// Counts frames that found no room, after `position` that did.
  @_noLocks
  func lose(_ frameCount: Int, position: Int) {
    let open = state.pointee.open.load(ordering: .relaxed)
    let lost = state.pointee.lost.load(ordering: .relaxed)
    if open == 0 {
      state.pointee.latest.store(position &+ lost, ordering: .relaxed)
      let begun = state.pointee.begun.load(ordering: .relaxed)
      state.pointee.begun.store(begun &+ 1, ordering: .releasing)
    }
    state.pointee.open.store(open &+ frameCount, ordering: .relaxed)
    state.pointee.lost.store(lost &+ frameCount, ordering: .relaxed)
  }

  /// Says that frames are pushed again. False while there is no room to say so.
  @_noLocks
  func close(position: Int) -> Bool {
    let open = state.pointee.open.load(ordering: .relaxed)
    if open == 0 { return true }
    let head = state.pointee.head.load(ordering: .relaxed)
    if head &- state.pointee.tail.load(ordering: .acquiring) >= GapLog.capacity { return false }
    gaps[head & (GapLog.capacity &- 1)] = Gap(position: position, frameCount: open)
    state.pointee.head.store(head &+ 1, ordering: .releasing)
    state.pointee.open.store(0, ordering: .relaxed)
    return true
  }
}
