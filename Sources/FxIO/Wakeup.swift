import Glibc

/// Wakes one waiting thread: a semaphore that both sides of a feed point to.
///
/// A view; the feed that made it destroys it after its threads have ended.
struct Wakeup: BitwiseCopyable, @unchecked Sendable {
  // Sendable: a semaphore is made for several threads.
  private let semaphore: UnsafeMutablePointer<sem_t>

  static func make() -> Wakeup {
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    semaphore.initialize(to: sem_t())
    sem_init(semaphore, 0, 0)
    return Wakeup(semaphore: semaphore)
  }

  func destroy() {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Waits for a signal.
  func wait() {
    while sem_wait(semaphore) != 0, errno == EINTR {}
  }

  /// Waits for a signal or so many seconds. False when none came.
  func wait(seconds: Double) -> Bool {
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    let nanoseconds = deadline.tv_nsec + Int(seconds * 1e9)
    deadline.tv_sec += nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    while sem_timedwait(semaphore, &deadline) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }

  // MARK: - Realtime

  @_noLocks
  func signal() {
    // A post neither allocates nor locks; it enters the kernel only when somebody waits.
    _unsafePerformance { _ = sem_post(semaphore) }
  }
}
