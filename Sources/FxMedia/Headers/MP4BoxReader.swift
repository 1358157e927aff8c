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
    while let head = head() {
      let offset = window.offset
      guard kinds.contains(head.kind) else {
        guard window.skip(head.size) else { return nil }
        continue
      }
      guard head.size <= MP4BoxReader.largest, window.has(head.size) else { return nil }
      let content = Array(window.bytes()[head.byteCount..<head.size])
      window.skip(head.size)
      return (MP4Box(kind: head.kind, content: content[...]), offset)
    }
    return nil
  }

  /// The bytes of a packet; nil if they are not there. The packets must be in the order of the stream, if it cannot seek.
  func packet(at offset: Int, _ count: Int) -> UnsafeBufferPointer<UInt8>? {
    guard offset >= 0, count >= 0, count <= MP4BoxReader.largest,
      offset >= window.offset ? window.skip(offset - window.offset) : window.resume(at: offset),
      window.has(count)
    else { return nil }
    return UnsafeBufferPointer(rebasing: window.bytes()[..<count])
  }

  /// The box that describes all tracks; nil if it is missing or cut off.
  ///
  /// - Throws: `headerAtEnd` for a stream in which this box comes after the audio data.
  func movie() throws(Failure) -> MP4Box? {
    while let head = head(), head.kind != "moov" {
      guard head.kind != "mdat" || reader.isSeekable else {
        throw Failure(
          .headerAtEnd, reader.name,
          "its table of packets is behind the sound, so that it cannot be read as a stream; "
            + "save it as a file first, or write it with: ffmpeg -movflags +faststart")
      }
      guard window.skip(head.size) else { break }
    }
    let movie = next(["moov"])
    if reader.hasFailed { throw reader.error }
    if let failure { throw failure }
    return movie?.box
  }

  /// The head of the next box; nil at the end.
  private func head() -> MP4Box.Head? {
    guard failure == nil, window.has(MP4Box.Head.longest) || window.count >= 8 else { return nil }
    let rest = (reader.byteCount ?? Int.max) - window.offset
    guard let head = MP4Box.Head(window.bytes(), rest: rest) else {
      failure = Failure(
        .damaged, reader.name, "the header is damaged: a chunk of an impossible size")
      return nil
    }
    return head
  }
}
