import CRealtime
import Glibc

/// Memory that this process shares with a child process. It has no name: it disappears when both
/// have ended.
package final class SharedMemory: @unchecked Sendable {
  // Sendable: immutable; the contents of the memory have their own rules.
  package let base: UnsafeMutableRawPointer
  package let size: Int
  package let descriptor: Int32

  /// New zeroed memory.
  package init(size: Int) throws(Failure) {
    let descriptor = fx_shared_memory_make(size)
    guard descriptor >= 0, let base = fx_shared_memory_map(descriptor, size) else {
      let reason: Int32 = descriptor < 0 ? -descriptor : errno
      if descriptor >= 0 { close(descriptor) }
      throw Failure(
        .noProcess,
        "no memory can be shared with a process (\(Failure.systemMessage(reason)))")
    }
    self.base = base
    self.size = size
    self.descriptor = descriptor
  }

  /// In a child: the memory that its parent shares; nil when there is none.
  package init?(inherited descriptor: Int32, minimumSize: Int) {
    size = fx_shared_memory_size(descriptor)
    guard size >= minimumSize, let base = fx_shared_memory_map(descriptor, size) else {
      return nil
    }
    self.base = base
    self.descriptor = descriptor
    // Programs that a plugin starts must not inherit it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    fx_shared_memory_unmap(base, size)
    close(descriptor)
  }
}
