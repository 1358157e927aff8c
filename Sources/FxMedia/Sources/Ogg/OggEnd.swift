/// The last complete page of an Ogg stream. It shows whether the stream is complete, and its length
/// (RFC 3533).
struct OggEnd {
  /// True if the writer marked this page as the last one.
  let isMarked: Bool
  /// The position after this page, in the codec's units; 0 if the value is impossible.
  let granule: Int
  /// The bytes after this page.
  let rest: [UInt8]
  /// Packets that end in this page.
  private let packetCount: Int
  /// The position after the page before; nil if that is not known.
  private var earlier: Int?

  /// False if the last page's position contradicts the page before it.
  ///
  /// - Parameter longestPacket: in the codec's units.
  func isPlausible(longestPacket: Int) -> Bool {
    guard let earlier else { return true }
    return (earlier...earlier + packetCount * longestPacket).contains(granule)
  }

  /// The last page, and the page before it that has a position. nil if there is no complete page.
  init?(_ tail: ArraySlice<UInt8>) {
    let found = tail.withUnsafeBufferPointer { bytes -> OggEnd? in
      guard let (page, start) = OggPage.last(in: bytes, before: bytes.count) else { return nil }
      var end = OggEnd(page, at: start, bytes)
      var limit = start
      while end.earlier == nil, let (page, start) = OggPage.last(in: bytes, before: limit) {
        if case let granule = OggEnd.granule(of: page), granule > 0 { end.earlier = granule }
        limit = start
      }
      return end
    }
    guard let found else { return nil }
    self = found
  }

  private init(_ page: OggPage, at offset: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
    isMarked = page.isLast
    granule = OggEnd.granule(of: page)
    rest = Array(bytes[(offset + page.byteCount)...])
    packetCount = page.packetCount(UnsafeBufferPointer(rebasing: bytes[offset...]))
  }

  private static func granule(of page: OggPage) -> Int {
    (0..<OggWalker.granuleLimit).contains(page.granule) ? page.granule : 0
  }
}
