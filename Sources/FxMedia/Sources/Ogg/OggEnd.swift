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
    let bytes = Array(tail)
    guard let (last, start) = OggEnd.page(bytes, bytes.count) else { return nil }
    self = last
    var limit = start
    while let (page, start) = OggEnd.page(bytes, limit) {
      if page.granule > 0 {
        earlier = page.granule
        return
      }
      limit = start
    }
  }

  /// The last page that ends before an offset, and its own offset.
  private static func page(_ bytes: [UInt8], _ limit: Int) -> (OggEnd, offset: Int)? {
    for offset in stride(from: limit - 28, through: 0, by: -1) where bytes[offset] == 0x4f {
      guard bytes[offset..<offset + 4].elementsEqual("OggS".utf8) else { continue }
      let body = offset + 27 + Int(bytes[offset + 26])
      guard body <= bytes.count else { continue }
      let end = body + bytes[offset + 27..<body].reduce(0) { $0 + Int($1) }
      guard end <= limit, OggTail.isWhole(bytes[offset..<end]) else { continue }
      let place = FilePatch.number(bytes[offset + 6..<offset + 14])
      let found = OggEnd(
        isMarked: bytes[offset + 5] & 4 != 0,
        granule: (0..<OggWalker.granuleLimit).contains(place) ? place : 0,
        rest: Array(bytes[end...]),
        packetCount: bytes[offset + 27..<body].count { $0 < 255 })
      return (found, offset)
    }
    return nil
  }

  private init(isMarked: Bool, granule: Int, rest: [UInt8], packetCount: Int) {
    self.isMarked = isMarked
    self.granule = granule
    self.rest = rest
    self.packetCount = packetCount
  }
}
