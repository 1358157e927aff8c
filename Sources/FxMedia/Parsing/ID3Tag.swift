/// The ID3 tag that may precede the audio.
enum ID3Tag {
  /// The size in bytes of a tag at the start; 0 when there is none.
  static func byteCount(_ bytes: [UInt8]) -> Int {
    guard bytes.count >= 10, bytes.starts(with: Array("ID3".utf8)) else { return 0 }
    guard bytes[6...9].allSatisfy({ $0 < 0x80 }) else { return 0 }
    let size = bytes[6...9].reduce(0) { $0 << 7 | Int($1) }
    return 10 + size + (bytes[5] & 0x10 != 0 ? 10 : 0)
  }

  /// Moves a window behind a tag, if there is one.
  static func skip(_ window: ByteWindow) {
    guard window.has(10) else { return }
    window.skip(byteCount(Array(window.bytes()[..<10])))
  }
}
