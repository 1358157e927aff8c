import FxFrames

/// Where bytes come from: a file, a pipe, memory.
///
/// Used by one thread at a time, apart from `interrupt`.
protocol ByteStream: AnyObject {
  /// For messages: the path as the user wrote it.
  var name: String { get }
  /// Bytes from start to end; nil where that shows only at the end.
  var byteCount: Int? { get }
  /// The file itself, where there is one; nil for what cannot be read at any place.
  var file: FileBytes? { get }
  /// The `errno` of a failed read.
  var failure: Int32? { get }
  /// What a failed read means, where an `errno` does not say it.
  var ioError: IOError? { get }
  /// True where going to another place takes a request to a server.
  var isCostly: Bool { get }
  /// True once a wait was ended by `interrupt`.
  var wasInterrupted: Bool { get }
  /// Reads up to `count` bytes. Returns 0 at the end and -1 after a failure or an interruption.
  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int
  /// Makes a byte the next to be read. False where that cannot be.
  func seek(to offset: Int) -> Bool
  /// Ends every wait, now and for ever. From any thread.
  func interrupt()
}

extension ByteStream {
  var isSeekable: Bool { byteCount != nil }
  var file: FileBytes? { nil }
  var failure: Int32? { nil }
  var ioError: IOError? { nil }
  var isCostly: Bool { false }
  var wasInterrupted: Bool { false }
  func interrupt() {}
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
