import FxAudio
import Glibc

/// Copies a reader's bytes into a pipe, on its own thread.
final class BytePump: @unchecked Sendable {
  // Sendable: only the thread uses the reader; `failed` is read after the thread has ended.
  private let reader: ByteReader
  private let descriptor: Int32
  private var failed = false
  private var thread: WorkerThread?
  private static let chunkByteCount = 1 << 14

  init(_ reader: ByteReader, to descriptor: Int32) throws(Failure) {
    self.reader = reader
    self.descriptor = descriptor
    var code: Int32 = 0
    let context = Unmanaged.passUnretained(self)
    thread = WorkerThread(failure: &code) { context.takeUnretainedValue().copy() }
    if thread == nil {
      close(descriptor)
      throw Failure(
        .threadUnavailable, reader.name, "no thread to read it: \(Failure.systemMessage(code))")
    }
  }

  deinit { stop() }

  /// Call it after the other end of the pipe was closed.
  func stop() {
    guard let thread else { return }
    reader.interrupt()
    thread.join()
    self.thread = nil
  }

  /// True if the bytes could not be read.
  var hasFailed: Bool {
    thread?.join()
    thread = nil
    return failed
  }

  private func copy() {
    let drain = ByteDrain(descriptor: descriptor, name: reader.name, isOwner: true)
    let chunk = UnsafeMutableRawPointer.allocate(byteCount: BytePump.chunkByteCount, alignment: 16)
    defer { chunk.deallocate() }
    while true {
      let count = reader.read(chunk, BytePump.chunkByteCount)
      failed = count < 0
      guard count > 0, drain.write(chunk, count) == count, drain.flush() else { break }
    }
  }
}
