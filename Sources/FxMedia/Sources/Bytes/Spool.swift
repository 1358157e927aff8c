import FxFrames
import Glibc

/// Copies a pipe into an unnamed file, for formats that need seeking and for sounds that are read
/// twice.
enum Spool {
  /// Copies with more bytes than this are reported.
  static let reportedByteCount = 64 << 20

  /// The file, and a warning about a long copy.
  static func toFile(_ reader: ByteReader) throws(IOError) -> (file: ByteReader, warning: String?) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/fxrun-XXXXXX".utf8CString)
    let descriptor = template.withUnsafeMutableBufferPointer { buffer -> Int32 in
      guard let start = buffer.baseAddress else { return -1 }
      let descriptor = mkstemp(start)
      guard descriptor >= 0 else { return -1 }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      unlink(start)
      return descriptor
    }
    guard descriptor >= 0 else { throw .writing(folder, errno: errno) }
    let file = ByteDrain(descriptor: descriptor, name: folder, isOwner: false)
    var byteCount = 0
    do throws(IOError) {
      let chunk = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
      defer { chunk.deallocate() }
      while true {
        let got = reader.read(chunk, 1 << 16)
        if got < 0 { throw reader.error }
        if got == 0 { break }
        guard file.write(chunk, got) == got else { throw file.error }
        byteCount += got
      }
      guard file.flush() else { throw file.error }
    } catch {
      close(descriptor)
      throw error
    }
    lseek(descriptor, 0, SEEK_SET)
    let warning =
      byteCount > reportedByteCount
      ? "this format cannot be read from a pipe: \(byteCount >> 20) MB were copied to a temporary "
        + "file in \(folder) first" : nil
    return (
      ByteReader(stream(descriptor: descriptor, name: reader.name, isOwner: true)), warning
    )
  }
}
