import CRealtime
import FxAudio
import Glibc

/// Memory that a process of ours shares with one that it starts. It has no name: nothing is left of
/// it when both have gone.
final class SharedMemory: @unchecked Sendable {
  // Sendable: immutable; what is in the memory has its own rules.
  let base: UnsafeMutableRawPointer
  let size: Int
  let descriptor: Int32

  /// Zeroed memory of its own.
  init(size: Int) throws(UnitError) {
    let descriptor = fx_shared_memory_make(size)
    guard descriptor >= 0, let base = fx_shared_memory_map(descriptor, size) else {
      let reason: Int32 = descriptor < 0 ? -descriptor : errno
      if descriptor >= 0 { close(descriptor) }
      throw UnitError(
        .instantiationFailed,
        "no memory can be shared with a process (\(ChildProcess.systemMessage(reason)))")
    }
    self.base = base
    self.size = size
    self.descriptor = descriptor
  }

  /// In a child, what its parent shares; nil when nobody does.
  init?(inherited descriptor: Int32, minimumSize: Int) {
    size = fx_shared_memory_size(descriptor)
    guard size >= minimumSize, let base = fx_shared_memory_map(descriptor, size) else {
      return nil
    }
    self.base = base
    self.descriptor = descriptor
    // Not for what a plugin may start.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    fx_shared_memory_unmap(base, size)
    close(descriptor)
  }
}
