package import Glibc

/// The identity of the file behind a path or a descriptor, whatever its name.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  /// The number of the file on its device.
  let node: UInt

  package init(_ status: stat) {
    device = UInt(status.st_dev)
    node = UInt(status.st_ino)
  }

  /// nil when the path does not exist.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// True when both names lead to the same existing file, by links or by different spellings.
package func isSameFile(_ a: String, _ b: String) -> Bool {
  guard let first = FileIdentity(path: a), let second = FileIdentity(path: b) else { return false }
  return first == second
}

/// True for a file on a disk, which opens without waiting for another program.
package func isRegularFile(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// One spelling for all names of an output file, whether it exists or not. nil for a target that
/// several programs can write at once, such as a device.
package func targetSpelling(_ path: String) -> String? {
  var status = stat()
  if stat(path, &status) == 0 {
    return status.st_mode & S_IFMT == S_IFREG ? realPath(path) : nil
  }
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
    return realPath(".") + "/" + path
  }
  return realPath(String(path[...slash])) + "/" + path[path.index(after: slash)...]
}

private func realPath(_ path: String) -> String {
  guard let real = realpath(path, nil) else { return path }
  defer { free(real) }
  return String(cString: real)
}
