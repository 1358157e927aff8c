import FxAudio

/// Reads the outermost boxes of an MP4 file, one after another.
final class MP4BoxReader {
  private let reader: ByteReader
  private let window: ByteWindow
  private var failure: Failure?
  private static let largest = 1 << 28

  /// Starts at the reader's position.
  init(_ reader: ByteReader) {
    self.reader = reader
    window = ByteWindow(reader, limit: MP4BoxReader.largest)
  }

  /// The next box of some kinds, and its offset; nil at the end, and if the box is cut off.
  func next(_ kinds: Set<String>) -> (box: MP4Box, offset: Int)? {
    while let (kind, size, head) = header() {
      let offset = window.offset
      guard kinds.contains(kind) else {
        guard window.skip(size) else { return nil }
        continue
      }
      guard size <= MP4BoxReader.largest, window.has(size) else { return nil }
      let content = Array(window.bytes(at: head)[..<(size - head)])
      window.skip(size)
      return (MP4Box(kind: kind, content: content[...]), offset)
    }
    return nil
  }

  /// The box that describes all tracks; nil if it is missing or cut off.
  ///
  /// - Throws: `headerAtEnd` for a stream in which this box comes after the audio data.
  func movie() throws(Failure) -> MP4Box? {
    while let (kind, size, _) = header(), kind != "moov" {
      guard kind != "mdat" || reader.isSeekable else {
        throw Failure(
          .headerAtEnd, reader.name,
          "its table of packets is behind the sound, so that it cannot be read as a stream; "
            + "save it as a file first, or write it with: ffmpeg -movflags +faststart")
      }
      guard window.skip(size) else { break }
    }
    let movie = next(["moov"])
    if reader.hasFailed { throw reader.error }
    if let failure { throw failure }
    return movie?.box
  }

  /// The kind of the next box, its size, and the size of its head; nil at the end.
  private func header() -> (kind: String, size: Int, head: Int)? {
    guard failure == nil, window.has(8) else { return nil }
    var size = MP4Box.number(window.bytes(), 4)
    let kind = MP4Box.text(window.bytes(at: 4))
    var head = 8
    if size == 1, window.has(16) {
      size = MP4Box.number(window.bytes(at: 8), 8)
      head = 16
    }
    if size == 0 { size = (reader.byteCount ?? Int.max) - window.offset }
    guard size >= head else {
      failure = Failure(
        .damaged, reader.name, "the header is damaged: a chunk of \(size) bytes")
      return nil
    }
    return (kind, size, head)
  }
}
