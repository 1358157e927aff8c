import FxAudio

/// An input of bytes: a file, a pipe, or memory.
///
/// Used by one thread at a time, except for `interrupt`.
protocol ByteStream: AnyObject {
  /// For messages: the path as the user wrote it.
  var name: String { get }
  /// The size in bytes; nil if it is only known at the end.
  var byteCount: Int? { get }
  /// The underlying file; nil if bytes cannot be read at any offset.
  var file: FileBytes? { get }
  /// The `errno` of a failed read.
  var failure: Int32? { get }
  /// The error of a failed read, if an `errno` cannot express it.
  var ioError: Failure? { get }
  /// True if a seek needs a request to a server.
  var isCostly: Bool { get }
  /// A skip of more bytes than this is a seek.
  var skippedByteCount: Int { get }
  /// True if all bytes can be read in advance at little cost: those of a file or of memory.
  var isLocal: Bool { get }
  /// The offsets at which bytes are missing, as reported with the bytes, in order.
  var holes: [Int] { get }
  /// True once `interrupt` has ended a wait.
  var wasInterrupted: Bool { get }
  /// Reads up to `count` bytes. Returns 0 at the end and -1 after a failure or an interruption.
  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int
  /// Sets the next byte to read. False if that is impossible.
  func seek(to offset: Int) -> Bool
  /// The next bytes were chosen by an estimate.
  func noteEstimate()
  /// Permanently ends every wait. From any thread.
  func interrupt()
}

extension ByteStream {
  var isSeekable: Bool { byteCount != nil }
  var file: FileBytes? { nil }
  var failure: Int32? { nil }
  var ioError: Failure? { nil }
  var isCostly: Bool { false }
  var isLocal: Bool { isSeekable && !isCostly }
  var skippedByteCount: Int { 1 << 20 }
  var holes: [Int] { [] }
  var wasInterrupted: Bool { false }
  func noteEstimate() {}
  func interrupt() {}
}

/// Bytes that come from a reader.
protocol DerivedStream: ByteStream {
  var reader: ByteReader { get }
}

extension DerivedStream {
  var name: String { reader.name }
  var failure: Int32? { reader.stream.failure }
  var ioError: Failure? { reader.stream.ioError }
  var isCostly: Bool { reader.isCostly }
  var wasInterrupted: Bool { reader.wasInterrupted }
  func interrupt() { reader.interrupt() }
}

/// Bytes in memory.
final class MemoryStream: ByteStream {
  let name: String
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  var byteCount: Int? { bytes.count }

  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    let available = min(count, bytes.count - offset)
    guard available > 0 else { return 0 }
    bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      target.copyMemory(from: start + offset, byteCount: available)
    }
    offset += available
    return available
  }

  func seek(to offset: Int) -> Bool {
    guard (0...bytes.count).contains(offset) else { return false }
    self.offset = offset
    return true
  }
}
