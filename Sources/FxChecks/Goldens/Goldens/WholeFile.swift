import FxAudio
package import FxKit
import FxMedia
import Glibc

/// Writes files that appear complete or not at all, and creates folders for them.
package enum WholeFile {
  /// Writes a file under a temporary name and renames it. A pipe or a device is written directly.
  /// Missing folders are created.
  ///
  /// - Parameter isStopped: polled while nobody reads a pipe; true ends the wait.
  /// - Throws: `ChainFailure` of kind `output`.
  package static func write(
    _ text: String, to path: String, isStopped: @escaping () -> Bool = { false }
  ) throws(ChainFailure) {
    try write(bytes: Array(text.utf8), to: path, isStopped: isStopped)
  }

  /// The same for bytes.
  package static func write(
    bytes: [UInt8], to path: String, isStopped: @escaping () -> Bool = { false }
  ) throws(ChainFailure) {
    try write(bytes, to: path, like: nil, isStopped: isStopped)
  }

  /// - Parameter former: the owner and permissions that the file gets before its first byte; only root can
  ///   give it another owner.
  private static func write(
    _ bytes: [UInt8], to path: String, like former: stat?, isStopped: @escaping () -> Bool
  ) throws(ChainFailure) {
    try makeFolder(of: path)
    guard !isPipeOrDevice(path) else {
      let descriptor: Int32
      do throws(Failure) {
        descriptor = try PipeWait(isStopped: isStopped).create(path)
      } catch {
        throw ChainFailure(error, .output)
      }
      return try put(bytes, fdopen(descriptor, "w"), called: path)
    }
    let draft = "\(path).\(getpid()).partial"
    do throws(ChainFailure) {
      let file = fopen(draft, "we")
      if let file, let former {
        _ = fchown(fileno(file), former.st_uid, former.st_gid)
        fchmod(fileno(file), former.st_mode & 0o7777)
      }
      try put(bytes, file, called: path)
      if rename(draft, path) != 0 { throw .unwritable(path, errno) }
      FileSync.folder(of: path)
    } catch {
      unlink(draft)
      throw error
    }
  }

  /// Writes an existing file anew: with its owner and permissions, and at the end of its links.
  ///
  /// - Throws: `ChainFailure` of kind `output`.
  package static func rewrite(bytes: [UInt8], to path: String) throws(ChainFailure) {
    guard let end = realpath(path, nil) else { throw .unwritable(path, errno) }
    defer { free(end) }
    let target = String(cString: end)
    var status = stat()
    guard stat(target, &status) == 0 else { throw .unwritable(path, errno) }
    try write(bytes, to: target, like: status, isStopped: { false })
  }

  private static func isPipeOrDevice(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  private static func put(
    _ bytes: [UInt8], _ file: UnsafeMutablePointer<FILE>?, called name: String
  ) throws(ChainFailure) {
    guard let file else { throw .unwritable(name, errno) }
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    var code = isWritten ? 0 : errno
    // Sync before the rename, so that a power failure does not leave an empty file.
    if code == 0 { code = fflush(file) == 0 ? FileSync.file(fileno(file)) : errno }
    if fclose(file) != 0, code == 0 { code = errno }
    if code != 0 { throw .unwritable(name, code) }
  }

  /// Moves a file on the same file system.
  package static func move(_ path: String, to target: String) throws(ChainFailure) {
    try makeFolder(of: target)
    guard rename(path, target) == 0 else { throw .unwritable(target, errno) }
    FileSync.folder(of: target)
  }

  /// Creates the folder of a file, and its parents.
  package static func makeFolder(of path: String) throws(ChainFailure) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    try makeFolder(String(path[..<slash]))
  }

  /// Creates a folder and its parents.
  package static func makeFolder(_ path: String) throws(ChainFailure) {
    guard !path.isEmpty, mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    let code = errno
    guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw .unwritable(path, code)
    }
    try makeFolder(String(path[..<slash]))
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .unwritable(path, errno) }
  }

  /// Removes a file, or a folder with its contents; targets of links are kept.
  package static func remove(_ path: String) { FileTree.remove(path) }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

extension ChainFailure {
  fileprivate static func unwritable(_ path: String, _ code: Int32) -> ChainFailure {
    ChainFailure(
      .output, code: .unwritable, "\(path): cannot be written: \(String(cString: strerror(code)))",
      path: path)
  }
}
