import FxAudio
import FxKit
import Glibc

/// The bytes of a list of files or jobs.
enum BatchList {
  /// Reads a file, a pipe, or standard input (`-`).
  ///
  /// - Throws: `ChainFailure` of kind `input` if it cannot be read.
  package static func bytes(_ path: String) throws(ChainFailure) -> [UInt8] {
    do throws(Failure) {
      guard path != "-" else { return try standardInput() }
      var file = GuardedFile(path)
      file.takesPipes = true
      return try file.bytes()
    } catch {
      throw ChainFailure(
        .input, code: .unreadable, "\(path): cannot be read: \(error.message)", path: path)
    }
  }

  private static func standardInput() throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count == 0 { return bytes }
      guard count > 0 || errno == EINTR else { throw .reading("standard input", errno: errno) }
      bytes += buffer.prefix(max(count, 0))
    }
  }
}
