import FxAudio
import Glibc

/// A text that changes when a file is written: its size, its time in nanoseconds, and its inode.
enum InputStamp {
  /// The stamps of an input and of the files that it names.
  static func stamp(of file: BatchFile) -> String {
    ([stamp(ofFile: file.rawPath)] + file.named.map { stamp(ofFile: RawPath($0)) })
      .joined(separator: " ")
  }

  /// Empty if the file does not exist.
  private static func stamp(ofFile path: RawPath) -> String {
    path.withCString { FileStamp($0)?.text } ?? ""
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
