import FxAudio

/// Wakes the control thread during playback: for a request, or because the render thread has ended.
package final class WakeEvent: Sendable {
  let wakeup = Wakeup.make()

  package init() {}

  deinit { wakeup.destroy() }

  /// From any thread.
  package func signal() { wakeup.signal() }

  /// Waits for a signal, for at most `seconds`.
  package func wait(seconds: Double) { _ = wakeup.wait(seconds: seconds) }
}
