import CRealtime

/// Wakes one waiting thread: a semaphore that both sides of a feed point to.
///
/// A view; the feed that made it destroys it after its threads have ended.
struct Wakeup: BitwiseCopyable, @unchecked Sendable {
  // Sendable: a semaphore is made for several threads.
  private let semaphore: OpaquePointer?

  static func make() -> Wakeup { Wakeup(semaphore: fx_semaphore_make()) }

  func destroy() { fx_semaphore_destroy(semaphore) }

  /// Waits for a signal.
  func wait() { fx_semaphore_wait(semaphore) }

  /// Waits for a signal or so many seconds. False when none came.
  func wait(seconds: Double) -> Bool { fx_semaphore_wait_for(semaphore, seconds) != 0 }

  // MARK: - Realtime

  @_noLocks
  func signal() { fx_semaphore_post(semaphore) }
}
