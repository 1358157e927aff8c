import Glibc

/// Which file a path or a descriptor leads to, whatever it is called.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let node: UInt

  private init(_ status: stat) {
    device = UInt(status.st_dev)
    node = UInt(status.st_ino)
  }

  /// nil when nothing is there.
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

/// True when both names lead to one existing file: by links, by other spellings of the path.
package func isSameFile(_ a: String, _ b: String) -> Bool {
  guard let first = FileIdentity(path: a), let second = FileIdentity(path: b) else { return false }
  return first == second
}
