import Glibc

/// A text that changes when a file is written: its size, its time in nanoseconds, and its inode.
enum InputStamp {
  /// Empty if the file does not exist.
  static func stamp(ofFile path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "" }
    return "\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)-\(status.st_ino)"
  }

  /// The bytes of a file; nil if it is not a regular file.
  static func size(ofFile path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}
