import FxFrames

/// Wakes the control thread of a performance: somebody asks for something, or the render thread has
/// ended.
package final class WakeEvent: Sendable {
  let wakeup = Wakeup.make()

  package init() {}

  deinit { wakeup.destroy() }

  /// From any thread.
  package func signal() { wakeup.signal() }

  /// Waits for a signal, or so many seconds.
  package func wait(seconds: Double) { _ = wakeup.wait(seconds: seconds) }
}
