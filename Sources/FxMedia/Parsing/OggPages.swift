import FxAudio

/// A page of an Ogg stream (RFC 3533).
struct OggPage {
  let offset: Int
  let isContinued: Bool
  let isFirst: Bool
  let isLast: Bool
  /// The position after the last packet that ends in this page, in the codec's units; -1 if no
  /// packet ends here.
  let granule: Int
  let serial: UInt32
  /// The pieces of packets in this page. Each ends here, except the last one when `endsOpen` is
  /// true.
  let pieces: [[UInt8]]
  let endsOpen: Bool
}

/// Reads an Ogg stream page by page.
final class OggPageReader {
  let window: ByteWindow
  private static let headerByteCount = 27

  /// The size of the page that begins at a place of a window; nil if the stream ends inside it.
  static func byteCount(_ window: ByteWindow, at place: Int) -> Int? {
    guard window.has(place + headerByteCount) else { return nil }
    let body = headerByteCount + Int(window[place + 26])
    guard window.has(place + body) else { return nil }
    let size = (headerByteCount..<body).reduce(body) { $0 + Int(window[place + $1]) }
    return window.has(place + size) ? size : nil
  }

  init(_ reader: ByteReader) {
    window = ByteWindow(reader)
    ID3Tag.skip(window)
  }

  enum Step {
    case page(OggPage)
    /// Bytes that are not a valid page, starting at `offset`.
    case gap(offset: Int)
    case end
  }

  func next() -> Step {
    let start = window.offset
    while window.has(OggPageReader.headerByteCount) {
      if let page = page() {
        return start == page.offset ? take(page) : .gap(offset: start)
      }
      window.skip(1)
    }
    guard window.count > 0 else { return window.offset > start ? .gap(offset: start) : .end }
    window.skip(window.count)
    return .gap(offset: start)
  }

  private func take(_ page: OggPage) -> Step {
    window.skip(length)
    return .page(page)
  }

  /// The size in bytes of the last page that was found.
  private var length = 0

  /// The page at the current position; nil if no valid page begins here.
  private func page() -> OggPage? {
    guard window[0] == 0x4f, window.bytes()[..<5].elementsEqual([0x4f, 0x67, 0x67, 0x53, 0]) else {
      return nil
    }
    guard let size = OggPageReader.byteCount(window, at: 0) else { return nil }
    let segments = Int(window[26])
    let body = OggPageReader.headerByteCount + segments
    let table = Array(window.bytes(at: OggPageReader.headerByteCount)[..<segments])
    let bytes = Array(window.bytes()[..<size])
    guard OggTail.isWhole(bytes[...]) else { return nil }
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    var place = body
    for lace in table {
      piece += bytes[place..<place + Int(lace)]
      place += Int(lace)
      if lace < 255 {
        pieces.append(piece)
        piece = []
      }
    }
    let endsOpen = table.last == 255
    if endsOpen { pieces.append(piece) }
    length = size
    return OggPage(
      offset: window.offset, isContinued: bytes[5] & 1 != 0, isFirst: bytes[5] & 2 != 0,
      isLast: bytes[5] & 4 != 0, granule: FilePatch.number(bytes[6..<14]),
      serial: UInt32(truncatingIfNeeded: FilePatch.number(bytes[14..<18])), pieces: pieces,
      endsOpen: endsOpen)
  }
}
