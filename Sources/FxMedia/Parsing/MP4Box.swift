import FxAudio

/// A box of an MP4 file and its content.
struct MP4Box {
  let kind: String
  let content: ArraySlice<UInt8>

  /// The box that describes all tracks; nil if it is missing or cut off.
  ///
  /// - Throws: `headerAtEnd` for a stream in which this box comes after the audio data.
  static func movie(_ reader: ByteReader) throws(Failure) -> MP4Box? {
    try MP4BoxReader(reader).movie()
  }

  /// The boxes inside, starting at an offset of the content.
  func children(from offset: Int = 0) -> [MP4Box] {
    var boxes: [MP4Box] = []
    var place = content.startIndex + offset
    while content.endIndex - place >= 8 {
      let bytes = content[place...]
      var size = MP4Box.number(bytes, 4)
      var head = 8
      if size == 1, bytes.count >= 16 {
        size = MP4Box.number(bytes.dropFirst(8), 8)
        head = 16
      }
      guard size >= head, size <= content.endIndex - place else { break }
      boxes.append(
        MP4Box(
          kind: MP4Box.text(bytes.dropFirst(4)), content: content[(place + head)..<(place + size)]))
      place += size
    }
    return boxes
  }

  /// The first box at a path of kinds.
  func child(_ path: String...) -> MP4Box? {
    path.reduce(Optional(self)) { box, kind in box?.children().first { $0.kind == kind } }
  }

  /// A big-endian number at an offset of the content; 0 beyond its end.
  func number(_ offset: Int, _ width: Int) -> Int {
    guard offset >= 0, offset + width <= content.count else { return 0 }
    return MP4Box.number(content.dropFirst(offset), width)
  }

  static func number(_ bytes: some Collection<UInt8>, _ width: Int) -> Int {
    guard bytes.count >= width else { return 0 }
    let value = bytes.prefix(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(clamping: value)
  }

  static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.prefix(4), as: UTF8.self)
  }
}
