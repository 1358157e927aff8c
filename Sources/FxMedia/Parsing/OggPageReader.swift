import FxAudio

/// Reads an Ogg stream page by page.
final class OggPageReader {
  let window: ByteWindow

  init(_ reader: ByteReader) {
    window = ByteWindow(reader)
    ID3Tag.skip(window)
  }

  enum Step {
    /// A page, its offset, and its pieces of packets.
    case page(OggPage, offset: Int, pieces: [[UInt8]])
    /// Bytes that are not a valid page, starting at `offset`, or missing bytes.
    case gap(offset: Int)
    case end
  }

  func next() -> Step {
    let start = window.offset
    var hasHole = false
    while true {
      while !window.has(1), window.passHole() { hasHole = true }
      guard window.has(1) else { break }
      if let page = OggPage(window), page.isWhole(window.bytes()) {
        guard start == window.offset, !hasHole else { return .gap(offset: start) }
        let pieces = page.pieces(window.bytes())
        window.skip(page.byteCount)
        return .page(page, offset: start, pieces: pieces)
      }
      window.skip(1)
    }
    return window.offset > start || hasHole ? .gap(offset: start) : .end
  }
}
