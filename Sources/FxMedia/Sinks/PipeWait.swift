package import FxAudio
import Glibc

/// Opens a named pipe that has no reader yet.
package struct PipeWait {
  /// Ends the wait.
  private let isStopped: () -> Bool
  /// Called once, after a second of waiting.
  private let report: () -> Void

  package init(isStopped: @escaping () -> Bool = { false }, report: @escaping () -> Void = {}) {
    self.isStopped = isStopped
    self.report = report
  }

  /// Opens a pipe or a device for writing. With `isPipe` it waits for a reader and can be stopped.
  /// A plain `open` would continue to wait whatever signal arrives.
  package func open(_ path: String, isPipe: Bool, flags: Int32 = 0) throws(Failure) -> Int32 {
    var waited = 0
    while true {
      let descriptor = Glibc.open(
        path, O_WRONLY | O_CLOEXEC | flags | (isPipe ? O_NONBLOCK : 0), 0o644)
      if descriptor >= 0 {
        if isPipe { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) }
        return descriptor
      }
      if isPipe, errno == ENXIO {
        if isStopped() {
          throw Failure(.interrupted, path, "stopped before anybody read this pipe")
        }
        if waited == 20 { report() }
        waited += 1
        usleep(50_000)
      } else if errno != EINTR {
        throw .writing(path, errno: errno)
      }
    }
  }

  /// The same for any path: a file is created or truncated.
  package func create(_ path: String) throws(Failure) -> Int32 {
    var status = stat()
    let isPipe = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    return try open(path, isPipe: isPipe, flags: isPipe ? 0 : O_CREAT | O_TRUNC)
  }
}
