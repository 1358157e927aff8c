import FxAudio

/// The bytes in which a header is read, at offsets from its first byte: those of a file, of memory, or the next ones of a
/// stream.
struct HeaderBytes {
  let name: String
  /// The bytes that there are; nil if the end is not known.
  let byteCount: Int?
  private let read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]

  init(_ file: FileBytes, name: String = "") {
    self.name = name
    byteCount = file.count
    read = { offset, count in file.bytes(at: offset, count) }
  }

  init(_ bytes: [UInt8], name: String = "") {
    self.name = name
    byteCount = bytes.count
    read = { offset, count in
      offset < bytes.count ? Array(bytes[offset...].prefix(count)) : []
    }
  }

  /// The next bytes of a window. The window moves, so offsets must not decrease.
  init(_ window: ByteWindow, name: String, byteCount: Int?) {
    self.name = name
    let start = window.offset
    self.byteCount = byteCount.map { max($0 - start, 0) }
    read = { offset, count in
      guard window.skip(start + offset - window.offset) else { return [] }
      _ = window.has(count)
      return Array(window.bytes().prefix(count))
    }
  }

  /// The next bytes of a reader, which keeps them.
  ///
  /// - Throws: `headerAtEnd` at an offset that lies more than 1 MB behind the bytes before, and `damaged` behind 16 MB.
  init(peeking reader: ByteReader) {
    name = reader.name
    byteCount = reader.byteCount
    var reached = 0
    read = { offset, count throws(Failure) in
      guard offset - reached <= 1 << 20 else { throw HeaderBytes.late(reader.name) }
      guard offset <= 16 << 20 else {
        throw Failure(
          .damaged, reader.name, "no sound in the first 16 MB of the stream: no 'data' chunk")
      }
      reached = offset + count
      return try reader.peek(at: offset, count)
    }
  }

  /// The bytes from an offset on; fewer at the end.
  func bytes(at offset: Int, _ count: Int) throws(Failure) -> [UInt8] { try read(offset, count) }

  /// The same.
  ///
  /// - Throws: `truncated` if there are fewer.
  func all(at offset: Int, _ count: Int) throws(Failure) -> [UInt8] {
    let bytes = try read(offset, count)
    guard bytes.count == count else { throw cut(offset + bytes.count) }
    return bytes
  }

  func cut(_ byteCount: Int) -> Failure { .cutHeader(name, self.byteCount ?? byteCount) }

  static func late(_ name: String) -> Failure {
    Failure(
      .headerAtEnd, name,
      "the header is behind the sound, so that it cannot be read as a stream; save it as a file first"
    )
  }
}

extension Failure {
  /// The error for a sound that ends within its header.
  static func cutHeader(_ name: String, _ byteCount: Int) -> Failure {
    Failure(
      .truncated, name,
      "the file ends within its header after \(byteCount) bytes; fetch it again")
  }
}

extension Collection<UInt8> {
  /// The number in some bytes at an offset; 0 beyond the end. A number of eight bytes may be negative.
  func number(_ offset: Int, _ width: Int, isBig: Bool) -> Int {
    let bytes = dropFirst(offset).prefix(width)
    guard bytes.count == width else { return 0 }
    var value: UInt64 = 0
    var shift = isBig ? 8 * width : 0
    for byte in bytes {
      if isBig { shift -= 8 }
      value |= UInt64(byte) << UInt64(shift)
      if !isBig { shift += 8 }
    }
    return Int(truncatingIfNeeded: value)
  }

  func little(_ offset: Int, _ width: Int) -> Int { number(offset, width, isBig: false) }
  func big(_ offset: Int, _ width: Int) -> Int { number(offset, width, isBig: true) }

  /// Four letters at an offset.
  func text(_ offset: Int, _ width: Int = 4) -> String {
    String(decoding: dropFirst(offset).prefix(width), as: UTF8.self)
  }
}
