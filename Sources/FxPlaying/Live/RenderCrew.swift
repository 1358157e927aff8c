import CRealtime
import FxEngine
import FxFrames

/// The render thread and its helpers, which render the tasks of a block together.
///
/// The render thread begins the block, wakes a helper where there is work for two, and renders tasks
/// until the block is done. It never waits for a helper to wake up. It waits for a task that a helper has
/// taken: it spins first, and then sleeps, so that a helper on the same processor can go on.
///
/// A view; `LiveHelpers` owns its memory and the helpers' threads.
struct RenderCrew: BitwiseCopyable, @unchecked Sendable {
  // Sendable: immutable; what it points to is atomic.
  let slot: ProgramSlot
  /// The render thread's, and one a helper.
  let leader: Sleeper
  let helpers: UnsafePointer<Sleeper>
  private let spinTicks: UInt64

  /// Longer than a wake-up takes, shorter than anybody notices.
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

  /// True when there is something to render for a helper.
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

  /// Renders until the block is done. False when other threads take longer over the rest of it than it
  /// pays to spin.
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

  /// Renders what a helper finds until there has been nothing for a while.
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

  /// Renders a task. False when there is none for this thread.
  @_noLocks
  private func renderTask(_ board: TaskBoard, thread: Int) -> Bool {
    let claim = board.claim(atLeast: 1, spare: 1, thread: thread)
    if claim.leavesMore { wakeHelper() }
    board.render(claim)
    return claim.blockCount > 0
  }

  /// Wakes one helper that sleeps; it wakes the next one where there is still more.
  @_noLocks
  private func wakeHelper() {
    for helper in 0..<slot.helperCount where helpers[helper].wakes() { return }
  }
}
