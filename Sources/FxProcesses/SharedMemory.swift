import CRealtime
import Glibc

/// Memory that a process of ours shares with one that it starts. It has no name: nothing is left of
/// it when both have gone.
package final class SharedMemory: @unchecked Sendable {
  // Sendable: immutable; what is in the memory has its own rules.
  package let base: UnsafeMutableRawPointer
  package let size: Int
  package let descriptor: Int32

  /// Zeroed memory of its own.
  package init(size: Int) throws(ProcessError) {
    let descriptor = fx_shared_memory_make(size)
    guard descriptor >= 0, let base = fx_shared_memory_map(descriptor, size) else {
      let reason: Int32 = descriptor < 0 ? -descriptor : errno
      if descriptor >= 0 { close(descriptor) }
      throw ProcessError(
        "no memory can be shared with a process (\(ProcessError.systemMessage(reason)))")
    }
    self.base = base
    self.size = size
    self.descriptor = descriptor
  }

  /// In a child, what its parent shares; nil when nobody does.
  package init?(inherited descriptor: Int32, minimumSize: Int) {
    size = fx_shared_memory_size(descriptor)
    guard size >= minimumSize, let base = fx_shared_memory_map(descriptor, size) else {
      return nil
    }
    self.base = base
    self.descriptor = descriptor
    // Not for what a plugin may start.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// The end of what was written behind the memory: the messages of a process whose standard error
  /// leads here.
  package func textBehind(last limit: Int) -> String {
    let end = fx_shared_memory_size(descriptor)
    let count = min(end - size, limit)
    return String(
      decoding: UnnamedFile.bytes(descriptor, from: end - count, count: count), as: UTF8.self)
  }

  deinit {
    fx_shared_memory_unmap(base, size)
    close(descriptor)
  }
}
