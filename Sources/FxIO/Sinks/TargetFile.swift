import CRealtime
import Glibc
import Synchronization

/// A file that is written beside its target under a hidden name and takes the target's name when
/// it is complete. What stood there before stays until then.
final class TargetFile {
  /// As the user wrote it.
  let path: String
  let descriptor: Int32
  /// nil when the target is written directly: a pipe, a device.
  private let temporaryPath: String?
  private let targetPath: String
  private var isSettled = false

  init(path: String) throws(IOError) {
    self.path = path
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw IOError(.unwritable, path, "this is not a file name")
    }
    var status = stat()
    let exists = stat(path, &status) == 0
    if !exists, errno == ENAMETOOLONG { throw .writing(path, errno: ENAMETOOLONG) }
    if exists, status.st_mode & S_IFMT == S_IFDIR || path.hasSuffix("/") {
      throw .writing(path, errno: EISDIR)
    }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      targetPath = path
      temporaryPath = nil
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .writing(path, errno: errno) }
      return
    }
    guard !path.hasSuffix("/") else { throw .writing(path, errno: ENOENT) }
    // A link goes on leading to where it led.
    targetPath = exists ? TargetFile.resolved(path) : path
    if exists, access(targetPath, W_OK) != 0 { throw .writing(path, errno: errno) }
    let (folder, name) = TargetFile.split(targetPath)
    // A long name leaves no room for what is added.
    let beginning = ".\(name.utf8.count > 200 ? "fxrun" : name)."
    StaleFiles.remove(in: folder, beginning: beginning)
    let temporary = "\(folder)\(beginning)\(getpid())"
    let mode = exists ? status.st_mode & 0o777 : 0o666
    var opened: Int32 = -1
    var chosen = temporary
    for attempt in 0..<100 {
      chosen = attempt == 0 ? temporary : "\(temporary).\(attempt)"
      opened = open(chosen, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if opened >= 0 || errno != EEXIST { break }
    }
    guard opened >= 0 else { throw .writing(path, errno: errno) }
    // Whoever finds the file knows by the lock that its process is there.
    flock(opened, LOCK_SH | LOCK_NB)
    if exists { fchmod(opened, mode) }
    descriptor = opened
    temporaryPath = chosen
    TargetFile.begun.withLock { _ = $0.insert(chosen) }
    fx_crash_file_begins(chosen, TargetFile.partialPath(targetPath))
  }

  /// Removes every file that is begun and not complete, when the process ends in a hurry. From any
  /// thread.
  static func discardAll() {
    begun.withLock { paths in
      for path in paths { unlink(path) }
    }
  }

  /// The temporary files of this process.
  private static let begun = Mutex<Set<String>>([])

  deinit { discard() }

  /// Takes the target's name. Some file systems tell only now that there was no room.
  func commit() throws(IOError) {
    try settle(as: targetPath)
  }

  /// Stays as `NAME.partial.EXT`, whose path comes back; nil for a pipe.
  func keepPartial() throws(IOError) -> String? {
    guard temporaryPath != nil else {
      discard()
      return nil
    }
    let partial = TargetFile.partialPath(targetPath)
    try settle(as: partial)
    return partial
  }

  /// Removes what was written.
  func discard() {
    guard !isSettled else { return }
    isSettled = true
    close(descriptor)
    if let temporaryPath {
      unlink(temporaryPath)
      TargetFile.begun.withLock { _ = $0.remove(temporaryPath) }
      fx_crash_file_ends(temporaryPath)
    }
  }

  private func settle(as name: String) throws(IOError) {
    guard !isSettled else { return }
    isSettled = true
    var code = close(descriptor) == 0 ? 0 : errno
    if let temporaryPath {
      TargetFile.begun.withLock { paths in
        if code == 0, rename(temporaryPath, name) != 0 { code = errno }
        if code != 0 { unlink(temporaryPath) }
        paths.remove(temporaryPath)
      }
      fx_crash_file_ends(temporaryPath)
    }
    if code != 0 { throw .writing(path, errno: code) }
  }

  /// `take.wav` becomes `take.partial.wav`.
  static func partialPath(_ path: String) -> String {
    let (folder, name) = split(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return "\(path).partial"
    }
    return "\(folder)\(name[..<dot]).partial\(name[dot...])"
  }

  /// The folder with its slash, and the name.
  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
