package import FxKit
import Glibc

/// Files that are there whole or not at all, and folders for them.
package enum WholeFile {
  /// Writes a file under another name first. The folders on its way are made.
  ///
  /// - Throws: `ChainFailure` of kind `output`.
  package static func write(_ text: String, to path: String) throws(ChainFailure) {
    try makeFolder(of: path)
    let draft = "\(path).\(getpid()).partial"
    guard let file = fopen(draft, "we") else { throw .unwritable(path, errno) }
    let bytes = Array(text.utf8)
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    var code = isWritten ? 0 : errno
    if fclose(file) != 0, code == 0 { code = errno }
    if code == 0, rename(draft, path) != 0 { code = errno }
    guard code == 0 else {
      unlink(draft)
      throw .unwritable(path, code)
    }
  }

  /// Gives a file another place on the same file system.
  package static func move(_ path: String, to target: String) throws(ChainFailure) {
    try makeFolder(of: target)
    guard rename(path, target) == 0 else { throw .unwritable(target, errno) }
  }

  /// Makes the folder that a file is to lie in, and those above it.
  package static func makeFolder(of path: String) throws(ChainFailure) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    try makeFolder(String(path[..<slash]))
  }

  /// Makes a folder and those above it.
  package static func makeFolder(_ path: String) throws(ChainFailure) {
    guard !path.isEmpty, mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    let code = errno
    guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw .unwritable(path, code)
    }
    try makeFolder(String(path[..<slash]))
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .unwritable(path, errno) }
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

extension ChainFailure {
  fileprivate static func unwritable(_ path: String, _ code: Int32) -> ChainFailure {
    ChainFailure(
      .output, code: "unwritable", "\(path): cannot be written: \(String(cString: strerror(code)))",
      path: path)
  }
}
