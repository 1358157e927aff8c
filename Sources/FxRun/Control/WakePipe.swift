import Glibc

/// Wakes a thread that waits in `poll`. From any thread.
final class WakePipe: Sendable {
  /// The end to wait for.
  let descriptor: Int32
  private let waking: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    ends.forEach(Self.free)
    (descriptor, waking) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(waking)
  }

  func wake() {
    // If the pipe is full, the thread will wake anyway.
    var one: UInt8 = 1
    _ = write(waking, &one, 1)
  }

  /// Takes what has woken the thread.
  func drain() {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) {
      _ = read(descriptor, $0.baseAddress, $0.count)
    }
  }

  /// Makes the descriptor non-blocking, and closes it in child processes.
  static func free(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }
}
