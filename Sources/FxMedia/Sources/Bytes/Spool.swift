import FxAudio
import Glibc

/// Copies a pipe into an unnamed file, for formats that need seeking and for sounds that are read
/// twice.
enum Spool {
  /// Copies with more bytes than this are reported.
  static let reportedByteCount = 64 << 20

  /// Copies the bytes and opens the sound in the copy. If reading fails after the first bytes, the
  /// sound up to there is decoded, and fails where it ends.
  static func open(
    _ reader: ByteReader, warns: Bool = true,
    _ open: (ByteReader) throws(Failure) -> any AudioSource
  ) throws(Failure) -> any AudioSource {
    let copy = try toFile(reader)
    let source: any AudioSource
    do throws(Failure) {
      source = try open(copy.file)
    } catch {
      throw copy.failure ?? error
    }
    let warning = warns ? copy.warning : nil
    guard warning != nil || copy.failure != nil else { return source }
    return SpooledSource(source, warning: warning, failure: copy.failure)
  }

  /// The file, a warning about a long copy, and the failure that ended the copy early.
  private static func toFile(
    _ reader: ByteReader
  ) throws(Failure) -> (file: ByteReader, warning: String?, failure: Failure?) {
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
    var failure: Failure?
    do throws(Failure) {
      let chunk = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
      defer { chunk.deallocate() }
      while true {
        let got = reader.read(chunk, 1 << 16)
        if got < 0 {
          failure = reader.error
          guard byteCount > 0, !reader.wasInterrupted else { throw reader.error }
        }
        if got <= 0 { break }
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
      ByteReader(stream(descriptor: descriptor, name: reader.name, isOwner: true)), warning,
      failure
    )
  }
}
