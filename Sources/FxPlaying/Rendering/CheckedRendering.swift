import CRealtime
import FxEngine

// The render threads' functions that the real-time checker verifies.

/// Renders a block on the calling thread alone.
@_noLocks
func renderBlock(_ renderer: Renderer, _ frameCount: Int) {
  fx_realtime_enter()
  renderer.render(frameCount: frameCount)
  fx_realtime_exit()
}

/// Renders the blocks of a task that the calling thread has taken.
@_noLocks
func renderTask(_ board: TaskBoard, _ claim: TaskBoard.Claim) {
  fx_realtime_enter()
  board.render(claim)
  fx_realtime_exit()
}
