import CRealtime
import Glibc

/// Wakes one waiting thread: a semaphore that both sides of a feed point to.
///
/// A view. The feed that made it destroys it after its threads have ended.
package struct Wakeup: BitwiseCopyable, @unchecked Sendable {
  // Sendable: a semaphore may be used by several threads.
  private let semaphore: UnsafeMutablePointer<sem_t>

  package static func make() -> Wakeup {
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    semaphore.initialize(to: sem_t())
    sem_init(semaphore, 0, 0)
    return Wakeup(semaphore: semaphore)
  }

  package func destroy() {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Waits for a signal.
  package func wait() {
    while sem_wait(semaphore) != 0, errno == EINTR {}
  }

  /// Waits up to `seconds` for a signal. False when none came.
  package func wait(seconds: Double) -> Bool { fx_semaphore_wait(semaphore, seconds) == 1 }

  // MARK: - Realtime

  @_noLocks
  package func signal() {
    fx_semaphore_post(semaphore)
  }
}
