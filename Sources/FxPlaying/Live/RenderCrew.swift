import CRealtime
import FxAudio
import FxEngine

/// The render thread and its helpers, which together render the tasks of a block.
///
/// The render thread begins the block, wakes a helper if there is work for two, and renders tasks
/// until the block is done. It never waits for a helper to wake up. It does wait for a task that a
/// helper has taken: first it spins, then it sleeps, so that a helper on the same processor can
/// continue.
///
/// A view; `LiveHelpers` owns its memory and the helpers' threads.
struct RenderCrew: BitwiseCopyable, @unchecked Sendable {
  // Sendable: immutable; it points to atomics.
  let slot: ProgramSlot
  /// The sleeper of the render thread, and one for each helper.
  let leader: Sleeper
  let helpers: UnsafePointer<Sleeper>
  private let spinTicks: UInt64

  /// Longer than a wake-up takes, too short to matter.
  private static let spinSeconds = 20e-6

  init(slot: ProgramSlot, leader: Sleeper, helpers: UnsafePointer<Sleeper>) {
    self.slot = slot
    self.leader = leader
    self.helpers = helpers
    spinTicks = UInt64(Self.spinSeconds / fx_seconds_per_tick())
  }

  // MARK: On the render thread, which waits here for tasks that helpers have taken

  /// Renders a block of the running program.
  func render(_ renderer: Renderer, frameCount: Int) {
    guard let board = renderer.board else { return renderBlock(renderer, frameCount) }
    beginBlock(renderer, frameCount)
    while !renderTasks(board) {
      leader.sleep { board.isOldestDone || board.hasWork(atLeast: 1) }
    }
    renderer.finish()
  }

  // MARK: On a helper's thread

  /// True when a task is ready for a helper.
  func hasWork(for helper: Int) -> Bool {
    defer { slot.leave(helper: helper) }
    return slot.enter(helper: helper)?.hasWork(atLeast: 1) ?? false
  }

  // MARK: - Realtime

  @_noLocks
  private func beginBlock(_ renderer: Renderer, _ frameCount: Int) {
    fx_realtime_enter()
    renderer.begin(frameCount: frameCount)
    fx_realtime_exit()
  }

  /// Renders tasks until the block is done. False when this thread found no task for `spinSeconds`.
  @_noLocks
  private func renderTasks(_ board: TaskBoard) -> Bool {
    fx_realtime_enter()
    defer { fx_realtime_exit() }
    var idleSince = fx_ticks()
    while !board.isOldestDone {
      if renderTask(board, thread: slot.helperCount &+ 1) {
        idleSince = fx_ticks()
      } else if fx_ticks() &- idleSince < spinTicks {
        fx_spin_pause()
      } else {
        return false
      }
    }
    return true
  }

  /// Renders tasks until none has been ready for `spinSeconds`.
  @_noLocks
  func help(_ helper: Int) {
    fx_realtime_enter()
    defer { fx_realtime_exit() }
    var idleSince = fx_ticks()
    while fx_ticks() &- idleSince < spinTicks {
      let board = slot.enter(helper: helper)
      if let board, renderTask(board, thread: helper &+ 1) {
        leader.wake()
        idleSince = fx_ticks()
      } else {
        fx_spin_pause()
      }
      slot.leave(helper: helper)
    }
  }

  /// Renders a task. False if none is ready for this thread.
  @_noLocks
  private func renderTask(_ board: TaskBoard, thread: Int) -> Bool {
    let claim = board.claim(atLeast: 1, spare: 1, thread: thread)
    if claim.leavesMore { wakeHelper() }
    board.render(claim)
    return claim.blockCount > 0
  }

  /// Wakes one sleeping helper; that one wakes the next if there are more tasks.
  @_noLocks
  private func wakeHelper() {
    for helper in 0..<slot.helperCount where helpers[helper].wakes() { return }
  }
}
