/// The ID3 tag that may precede the audio.
enum ID3Tag {
  /// The size in bytes of a tag at the start; 0 when there is none.
  static func byteCount(_ bytes: some RandomAccessCollection<UInt8>) -> Int {
    guard bytes.count >= 10, bytes.text(0, 3) == "ID3" else { return 0 }
    let digits = bytes.big(6, 4)
    // Each byte has seven bits of the size.
    guard digits & 0x8080_8080 == 0 else { return 0 }
    let size = (0..<4).reduce(0) { $0 | (digits >> (8 * $1) & 0x7f) << (7 * $1) }
    return 10 + size + (bytes.big(5, 1) & 0x10 != 0 ? 10 : 0)
  }

  /// Moves a window behind a tag, if there is one.
  static func skip(_ window: ByteWindow) {
    guard window.has(10) else { return }
    window.skip(byteCount(window.bytes()))
  }
}
