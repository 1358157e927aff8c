import CRealtime
import Glibc

/// A file in memory without a name, to which a process writes an answer or messages. It disappears
/// when it is closed.
package final class UnnamedFile: Sendable {
  package let descriptor: Int32

  package init() throws(Failure) {
    descriptor = fx_shared_memory_make(0)
    if descriptor < 0 { throw Failure(.noProcess, Failure.systemMessage(-descriptor)) }
  }

  /// A file with initial contents. Whoever writes to it starts at its beginning.
  package convenience init(_ bytes: [UInt8]) throws(Failure) {
    try self.init()
    var rest = bytes[...]
    while !rest.isEmpty {
      let start = off_t(bytes.count - rest.count)
      let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, start) }
      guard count > 0 || errno == EINTR else {
        throw Failure(.noProcess, Failure.systemMessage(errno))
      }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  deinit { close(descriptor) }

  private var size: Int { fx_shared_memory_size(descriptor) }

  /// The written bytes, up to a limit.
  package func bytes(limit: Int) -> [UInt8] {
    Self.bytes(descriptor, from: 0, count: min(size, limit))
  }

  /// All bytes of such a file, for the process that has its descriptor.
  package static func bytes(_ descriptor: Int32) -> [UInt8] {
    bytes(descriptor, from: 0, count: fx_shared_memory_size(descriptor))
  }

  /// The last part of the written text.
  package func text(last limit: Int) -> String {
    let size = size
    let count = min(size, limit)
    return String(
      decoding: Self.bytes(descriptor, from: size - count, count: count), as: UTF8.self)
  }

  /// Writes a whole text to a descriptor; for the process whose answer goes to the file.
  package static func write(_ text: String, to descriptor: Int32) -> Bool {
    write(Array(text.utf8), to: descriptor)
  }

  /// Writes all bytes to a descriptor.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(count, 0))
    }
    return true
  }

  /// Bytes of a file; fewer where it ends earlier.
  static func bytes(_ descriptor: Int32, from start: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
      while filled < count {
        let got = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, count - filled,
          off_t(start + filled))
        guard got > 0 else { return }
        filled += got
      }
    }
  }
}
