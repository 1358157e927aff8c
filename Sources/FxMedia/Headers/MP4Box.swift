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
    while let head = Head(content[place...]), head.size <= content.endIndex - place {
      boxes.append(
        MP4Box(
          kind: head.kind, content: content[(place + head.byteCount)..<(place + head.size)]))
      place += head.size
    }
    return boxes
  }

  /// The first box at a path of kinds.
  func child(_ path: String...) -> MP4Box? {
    path.reduce(Optional(self)) { box, kind in box?.children().first { $0.kind == kind } }
  }

  /// A big-endian number at an offset of the content; 0 beyond its end.
  func number(_ offset: Int, _ width: Int) -> Int {
    guard offset >= 0 else { return 0 }
    let value = content.big(offset, width)
    // No number of eight bytes is negative.
    return value < 0 ? Int.max : value
  }

  /// The kind and the size of a box.
  struct Head {
    let kind: String
    /// The size of the whole box.
    let size: Int
    /// The size of this head.
    let byteCount: Int

    static let longest = 16

    /// nil if the size is not valid.
    ///
    /// - Parameters:
    ///   - bytes: the first of the box, `longest` if there are so many.
    ///   - rest: the bytes up to the end of the file, for a box that does not declare its size.
    init?(_ bytes: some RandomAccessCollection<UInt8>, rest: Int? = nil) {
      guard bytes.count >= 8 else { return nil }
      kind = bytes.text(4)
      let isLong = bytes.big(0, 4) == 1
      byteCount = isLong ? 16 : 8
      let declared = isLong ? bytes.big(8, 8) : bytes.big(0, 4)
      size = declared == 0 && !isLong ? rest ?? 0 : declared
      guard size >= byteCount else { return nil }
    }
  }
}
