import CRealtime
import FxAudio
import Glibc
import Synchronization

/// A file on a disk.
final class FileStream: ByteStream {
  let name: String
  let byteCount: Int?
  private(set) var failure: Int32?
  private let descriptor: Int32
  private let isOwner: Bool
  private let monitor: OpeningMonitor?

  fileprivate init(
    descriptor: Int32, byteCount: Int, name: String, isOwner: Bool, _ monitor: OpeningMonitor?
  ) {
    self.descriptor = descriptor
    self.byteCount = byteCount
    self.name = name
    self.isOwner = isOwner
    self.monitor = monitor
  }

  deinit {
    if isOwner { close(descriptor) }
  }

  var file: FileBytes? { FileBytes(descriptor) }

  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    while true {
      let got = Glibc.read(descriptor, target, count)
      if got >= 0 {
        monitor?.noteRead()
        return got
      }
      if errno == EINTR { continue }
      failure = errno
      return -1
    }
  }

  func seek(to offset: Int) -> Bool { lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) }
}

/// A pipe, a socket or a terminal: its bytes can be read once, and reading may wait for them.
final class PipeStream: ByteStream {
  let name: String
  private(set) var failure: Int32?
  private let descriptor: Int32
  private let isOwner: Bool
  private let isInterrupted = Atomic<Bool>(false)
  private let monitor: OpeningMonitor?

  fileprivate init(descriptor: Int32, name: String, isOwner: Bool, _ monitor: OpeningMonitor?) {
    self.descriptor = descriptor
    self.name = name
    self.isOwner = isOwner
    self.monitor = monitor
    monitor?.notePipe()
  }

  deinit {
    if isOwner { close(descriptor) }
  }

  var byteCount: Int? { nil }

  var wasInterrupted: Bool {
    isInterrupted.load(ordering: .relaxed) || monitor?.isGivenUp == true
  }

  func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

  func seek(to offset: Int) -> Bool { false }

  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    while true {
      while fx_wait_readable(descriptor, 100) == 0 {
        if wasInterrupted { return -1 }
      }
      if wasInterrupted { return -1 }
      let got = Glibc.read(descriptor, target, count)
      if got >= 0 { return got }
      if errno == EINTR || errno == EAGAIN { continue }
      failure = errno
      return -1
    }
  }
}

/// Opens a file for reading.
func openStream(path: String, _ monitor: OpeningMonitor? = nil) throws(Failure) -> any ByteStream {
  var before = stat()
  if stat(path, &before) == 0, before.st_mode & S_IFMT == S_IFIFO { monitor?.noteNamedPipe() }
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else {
    let code = errno
    throw code == ENOENT
      ? unreadAddress(path) ?? .reading(path, errno: code)
      : .reading(path, errno: code)
  }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else {
    let code = errno
    close(descriptor)
    throw .reading(path, errno: code)
  }
  if status.st_mode & S_IFMT == S_IFDIR {
    close(descriptor)
    throw .reading(path, errno: EISDIR)
  }
  return stream(descriptor: descriptor, name: path, isOwner: true, monitor)
}

/// The error for an address that is neither http nor https; nil for any other path.
private func unreadAddress(_ path: String) -> Failure? {
  guard let end = path.firstRange(of: "://") else { return nil }
  let scheme = path[..<end.lowerBound].split(separator: "/").last ?? ""
  guard scheme.first?.isLetter == true,
    scheme.utf8.allSatisfy({ $0 < 0x80 && $0 > 0x20 }), scheme.count < 20
  else { return nil }
  let station =
    ["icy", "icyx", "uvox", "shout"].contains(scheme.lowercased())
    ? "; a station usually answers at the same address with http://" : ""
  return Failure(
    .unsupportedFormat, path,
    "fxrun reads http:// and https:// addresses, not \(scheme)://\(station)")
}

/// The stream of a descriptor. An owner closes the descriptor at the end.
func stream(
  descriptor: Int32, name: String, isOwner: Bool, _ monitor: OpeningMonitor? = nil
) -> any ByteStream {
  var status = stat()
  guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
    lseek(descriptor, 0, SEEK_CUR) >= 0
  else { return PipeStream(descriptor: descriptor, name: name, isOwner: isOwner, monitor) }
  return FileStream(
    descriptor: descriptor, byteCount: Int(status.st_size), name: name, isOwner: isOwner, monitor)
}
