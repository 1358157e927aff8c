import Glibc

/// The only opener of the files that a user names beside the sounds of a render: an included chain,
/// a cover, an impulse, a preset, a log.
///
/// It takes a regular file of a limited size. A disk or a network that does not answer is an error
/// after 10 s without a byte, as is a file that only looks regular (`/proc/kmsg`). The caller can
/// stop every wait.
package struct GuardedFile: Sendable {
  /// The usual limit of the size, in bytes.
  package static let usualByteLimit = 1 << 28

  private let path: String
  private let limits: OpeningLimits
  /// The most bytes of the file.
  package var byteLimit = usualByteLimit
  /// True if the file may be a pipe: for the files of a command line. A pipe with a writer has no
  /// time limit.
  package var takesPipes = false
  /// True for a path that may be a folder.
  package var takesFolders = false
  /// What to do about a folder.
  package var folderHint = "name the file in it"

  /// - Parameter limits: how long a step may take, and whether the caller still wants the file.
  package init(_ path: String, _ limits: OpeningLimits = OpeningLimits()) {
    self.path = path
    self.limits = limits
  }

  /// The contents of the file.
  package func bytes() throws(Failure) -> [UInt8] {
    try limited { monitor throws(Failure) in
      let descriptor = try open(monitor)
      defer { close(descriptor) }
      return try read(descriptor, monitor)
    }
  }

  /// Checks a file that a library or a plugin opens by its name.
  package func check() throws(Failure) { try use { _ throws(Failure) in } }

  /// Checks a file, then calls what reads it. The same limits apply to the call: the monitor must
  /// note its progress.
  package func use<Value>(
    _ body: @escaping (OpeningMonitor) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try limited { monitor throws(Failure) in
      close(try open(monitor))
      return try body(monitor)
    }
  }

  private func limited<Value>(
    _ body: @escaping (OpeningMonitor) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard !path.isEmpty else { throw Failure(.notFound, path, "the name is empty") }
    guard !path.utf8.contains(0) else {
      throw Failure(.notFound, path, "a file name cannot hold a zero byte")
    }
    let monitor = OpeningMonitor()
    return try limits.call(monitor) { () throws(Failure) in
      try body(monitor)
    } givingUp: {
      limits.failure(path, $0, monitor)
    }
  }

  /// A descriptor for reading. A device is never opened: opening may already do something.
  private func open(_ monitor: OpeningMonitor) throws(Failure) -> Int32 {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .reading(path, errno: errno) }
    try check(status)
    let isPipe = status.st_mode & S_IFMT == S_IFIFO
    if isPipe { monitor.noteNamedPipe() }
    let descriptor = Glibc.open(
      path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (isPipe ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw .reading(path, errno: errno) }
    do throws(Failure) {
      guard fstat(descriptor, &status) == 0 else { throw .reading(path, errno: errno) }
      try check(status)
    } catch {
      close(descriptor)
      throw error
    }
    if isPipe { monitor.notePipe() }
    return descriptor
  }

  /// Refuses what is not a file of the right kind and size.
  private func check(_ status: stat) throws(Failure) {
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard Int(status.st_size) <= byteLimit else { throw tooLarge }
    case S_IFDIR:
      guard takesFolders else {
        throw Failure(.isDirectory, path, "it is a folder; \(folderHint)")
      }
    case S_IFIFO where takesPipes: break
    case let kind:
      let word = kind == S_IFIFO ? "a pipe" : kind == S_IFSOCK ? "a socket" : "a device"
      throw Failure(
        .unreadable, path, "it is \(word), not a file; name a file with the same contents")
    }
  }

  private func read(
    _ descriptor: Int32, _ monitor: OpeningMonitor
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .reading(path, errno: errno) }
      guard count > 0, !monitor.isGivenUp else { return bytes }
      monitor.noteRead()
      bytes += buffer.prefix(count)
      guard bytes.count <= byteLimit else { throw tooLarge }
    }
  }

  private var tooLarge: Failure {
    Failure(
      .outOfRange, path, "it has more than \(byteLimit >> 20) MB, the limit for such a file")
  }
}
