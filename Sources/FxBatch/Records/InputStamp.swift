import Glibc

/// What changes when a file is written: its size, its time to the nanosecond, and its number.
enum InputStamp {
  /// Empty where there is no such file.
  static func stamp(ofFile path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "" }
    return "\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)-\(status.st_ino)"
  }

  /// Bytes of a file; nil where there is none.
  static func size(ofFile path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}
