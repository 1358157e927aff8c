/// Data that may legally come before, between and after the frames: tags, and the header of a WAV
/// file around them.
enum MPEGTrailer {
  /// The size in bytes of the tag or header at a place; nil if there is none.
  static func length(at place: Int, of framer: MPEGFramer) -> Int? {
    guard let first = framer.bytes(at: place).first,
      first == 0x49 || first == 0x54 || first == 0x41 || first == 0x4c || first == 0x52,
      framer.has(place + 32)
    else { return id3v1(at: place, of: framer) }
    let bytes = framer.bytes(at: place)
    func starts(_ text: StaticString) -> Bool {
      (0..<text.utf8CodeUnitCount).allSatisfy { bytes[$0] == text.utf8Start[$0] }
    }
    if starts("ID3") {
      let length = ID3Tag.byteCount(bytes)
      return (2...4).contains(bytes[3]) && length > 10 ? length : nil
    }
    if let mark = APEMark(bytes) { return mark.isHeader ? mark.tagByteCount : APEMark.byteCount }
    if starts("LYRICSBEGIN") { return lyrics(at: place, of: framer) }
    if starts("RIFF") { return wrapping(bytes) }
    return id3v1(at: place, of: framer)
  }

  /// 128 bytes, at the end or before a joined file.
  private static func id3v1(at place: Int, of framer: MPEGFramer) -> Int? {
    guard framer.bytes(at: place).first == 0x54, framer.has(place + 128) else { return nil }
    let bytes = framer.bytes(at: place)
    guard bytes[1] == 0x41, bytes[2] == 0x47 else { return nil }
    return bytes[3] == 0x2b && framer.has(place + 227) ? 227 : 128
  }

  /// Lyrics3 ends with its length.
  private static func lyrics(at place: Int, of framer: MPEGFramer) -> Int? {
    var length = 11
    while framer.has(place + length + 9), length < 1 << 16 {
      let bytes = framer.bytes(at: place)
      let mark = bytes[length..<length + 9]
      if mark.elementsEqual("LYRICSEND".utf8) || mark.elementsEqual("LYRICS200".utf8) {
        return length + 9
      }
      length += 1
    }
    return nil
  }

  /// The size of a WAV file's header, up to its data.
  private static func wrapping(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.text(8) == "WAVE" else { return nil }
    var chunks = Chunks(HeaderBytes(Array(bytes)), .riff(isBig: false), from: 12)
    while let chunk = try? chunks.next() {
      if chunk.id == "data" { return chunk.content }
    }
    return nil
  }
}
