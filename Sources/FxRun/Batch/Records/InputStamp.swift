import Glibc

/// A text that changes when a file is written: its size, its time in nanoseconds, and its inode.
enum InputStamp {
  /// Empty if the file does not exist.
  static func stamp(ofFile path: RawPath) -> String {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return "" }
    return "\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)-\(status.st_ino)"
  }

  /// The bytes of a file; nil if it is not a regular file.
  package static func size(ofFile path: String) -> Int? { size(ofFile: RawPath(path)) }

  static func size(ofFile path: RawPath) -> Int? {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(status.st_size)
  }
}
