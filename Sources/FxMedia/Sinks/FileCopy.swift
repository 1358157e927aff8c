package import FxAudio
import Glibc

/// Copies a file, complete or not at all, with the same temporary names as `FileSink`.
package enum FileCopy {
  /// - Throws: `Failure` about the source or the target.
  package static func copy(_ path: String, to copy: String) throws(Failure) {
    FileSink.removeStale(copy)
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw .reading(path, errno: errno) }
    defer { close(source) }
    let target = try TargetFile(path: copy)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &buffer, buffer.count)
      if count == 0 { break }
      if count < 0 {
        guard errno == EINTR else { throw .reading(path, errno: errno) }
        continue
      }
      var done = 0
      while done < count {
        let written = buffer.withUnsafeBytes { bytes in
          bytes.baseAddress.map { write(target.descriptor, $0 + done, count - done) } ?? -1
        }
        guard written > 0 || errno == EINTR else { throw .writing(copy, errno: errno) }
        done += max(written, 0)
      }
    }
    try target.commit()
  }
}
