import FxAudio
import Synchronization

/// The gaps where a feed lost frames because its ring was full. The pushing thread records each
/// gap; the writing thread writes silence of the same length there.
///
/// A view that both threads copy; the feed that made it destroys it after its threads have ended.
struct GapLog: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the counters are atomic, and the positions decide which thread owns a slot.

  struct Gap: BitwiseCopyable, Hashable {
    /// Frames that were pushed before the gap.
    var position: Int
    var frameCount: Int
  }

  private struct State: ~Copyable {
    /// Frames lost since the last pushed frame.
    let open = Atomic<Int>(0)
    let lost = Atomic<Int>(0)
    let begun = Atomic<Int>(0)
    let latest = Atomic<Int>(0)
  }

  private let state: UnsafeMutablePointer<State>
  private let gaps: UnsafeMutablePointer<Gap>
  private let positions: RingPositions
  private static let slotCount = 1024

  static func make() -> GapLog {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State())
    let gaps = UnsafeMutablePointer<Gap>.allocate(capacity: slotCount)
    gaps.initialize(repeating: Gap(position: 0, frameCount: 0), count: slotCount)
    return GapLog(state: state, gaps: gaps, positions: .make(slotCount: slotCount))
  }

  func destroy() {
    state.deinitialize(count: 1)
    state.deallocate()
    gaps.deallocate()
    positions.destroy()
  }

  /// The earliest gap that has not been filled; for the writing thread.
  var first: Gap? {
    let slot = positions.filledSlot
    return slot < 0 ? nil : gaps[slot]
  }

  func removeFirst() { positions.consume() }

  /// The number of gaps so far, and the frame in the file where the latest begins. From any thread.
  var begun: (count: Int, frame: Int) {
    let count = state.pointee.begun.load(ordering: .acquiring)
    return (count, state.pointee.latest.load(ordering: .relaxed))
  }

  /// Frames lost so far. From any thread.
  var lostFrameCount: Int { state.pointee.lost.load(ordering: .relaxed) }

  // MARK: - Realtime

  /// True from the first lost frame until the gap is closed.
  var isOpen: Bool {
    @_noLocks get { state.pointee.open.load(ordering: .relaxed) > 0 }
  }

  /// Counts frames that did not fit; `position` frames were pushed before them.
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

  /// Records that frames are pushed again. False while there is no room to record it.
  @_noLocks
  func close(position: Int) -> Bool {
    let open = state.pointee.open.load(ordering: .relaxed)
    if open == 0 { return true }
    let slot = positions.freeSlot
    if slot < 0 { return false }
    gaps[slot] = Gap(position: position, frameCount: open)
    positions.produce()
    state.pointee.open.store(0, ordering: .relaxed)
    return true
  }
}
