import CLilv
import Glibc
import Synchronization

/// Keeps the prints of plugins off standard output, which may carry audio or a report.
package enum StandardOutput {
  private static let lock = Mutex(())
  /// Where the prints of plugins go.
  private static let target = Atomic<Int32>(STDERR_FILENO)

  /// Redirects the prints of plugins to another descriptor than standard error, in a process that
  /// prints nothing itself.
  static func divert(to descriptor: Int32) {
    lock.withLock { _ in
      fx_lv2_flush_standard_output()
      target.store(descriptor, ordering: .relaxed)
      dup2(descriptor, STDOUT_FILENO)
    }
  }

  /// Reserves standard output for fxrun: returns a new descriptor with the same target.
  ///
  /// From then on, descriptor 1 leads to standard error. Audio streams are written to the returned
  /// descriptor. nil when the process has no standard output or no free descriptor.
  package static func reserve() -> Int32? {
    lock.withLock { _ in
      fx_lv2_flush_standard_output()
      let kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
      guard kept >= 0 else { return nil }
      guard dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
        close(kept)
        return nil
      }
      return kept
    }
  }

  /// Runs a plugin's code on the control thread with descriptor 1 leading to standard error.
  ///
  /// One caller at a time; this also keeps two plugins from being instantiated at once.
  static func diverted<Result>(_ body: () -> Result) -> Result {
    lock.withLock { _ in
      fx_lv2_flush_standard_output()
      let kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
      if kept >= 0 { dup2(target.load(ordering: .relaxed), STDOUT_FILENO) }
      let result = body()
      fx_lv2_flush_standard_output()
      if kept >= 0 {
        dup2(kept, STDOUT_FILENO)
        close(kept)
      }
      return result
    }
  }
}
