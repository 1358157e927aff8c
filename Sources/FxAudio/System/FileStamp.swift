package import Glibc

/// What changes when a file is written or replaced: its place, its size and its time. The contents
/// are not read.
package struct FileStamp: Sendable, Hashable {
  private let identity: FileIdentity
  package let size: Int
  /// The time of the last change in nanoseconds since 1970.
  package let time: Int

  package init(_ status: stat) {
    identity = FileIdentity(status)
    size = Int(status.st_size)
    time = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
  }

  /// nil if there is no such file.
  package init?(_ path: UnsafePointer<CChar>) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The stamp in a record that outlives the process: a device may get another number.
  package var text: String {
    let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
    return "\(size)-\(seconds).\(rest)-\(identity.node)"
  }
}
