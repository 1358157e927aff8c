/// The head of a page of an Ogg stream (RFC 3533).
struct OggPage {
  let isContinued: Bool
  let isFirst: Bool
  let isLast: Bool
  /// True if the last packet continues in the next page.
  let endsOpen: Bool
  /// The position after the last packet that ends in this page, in the codec's units; -1 if no
  /// packet ends here.
  let granule: Int
  let serial: Int
  /// Its number among the pages of its stream.
  let sequence: Int
  /// Bytes before the content.
  let headByteCount: Int
  /// Bytes of the whole page.
  let byteCount: Int

  /// Bytes of the longest page.
  static let largest = 65307
  /// Bytes of the longest head.
  static let largestHead = fixedByteCount + 255
  private static let fixedByteCount = 27
  private static let mark: [UInt8] = [0x4f, 0x67, 0x67, 0x53, 0]
  private static let sumPlace = 22

  /// True if a page may begin at the first byte.
  static func isMark(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.first == mark[0] && bytes.starts(with: mark)
  }

  /// nil if no page begins at the first byte, or if the bytes end within its head. The checksum is not checked.
  init?(head bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= OggPage.fixedByteCount, OggPage.isMark(bytes) else { return nil }
    headByteCount = OggPage.fixedByteCount + Int(bytes[26])
    guard bytes.count >= headByteCount else { return nil }
    isContinued = bytes[5] & 1 != 0
    isFirst = bytes[5] & 2 != 0
    isLast = bytes[5] & 4 != 0
    granule = bytes.little(6, 8)
    serial = bytes.little(14, 4)
    sequence = bytes.little(18, 4)
    endsOpen = bytes[26] > 0 && bytes[headByteCount - 1] == 255
    byteCount = bytes[OggPage.fixedByteCount..<headByteCount].reduce(headByteCount) {
      $0 + Int($1)
    }
  }

  /// nil if no whole page begins at the first byte.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.init(head: bytes)
    guard byteCount <= bytes.count else { return nil }
  }

  /// nil if no whole page begins at a place of a window.
  init?(_ window: ByteWindow, at place: Int = 0) {
    guard window.has(place + OggPage.fixedByteCount), OggPage.isMark(window.bytes(at: place)),
      window.has(place + OggPage.fixedByteCount + Int(window[place + 26]))
    else { return nil }
    self.init(head: window.bytes(at: place))
    guard window.has(place + byteCount) else { return nil }
  }

  /// The last whole page that ends before a limit, with the right checksum, and its offset.
  static func last(
    in bytes: UnsafeBufferPointer<UInt8>, before limit: Int
  ) -> (page: OggPage, offset: Int)? {
    for offset in stride(from: limit - fixedByteCount, through: 0, by: -1)
    where bytes[offset] == mark[0] {
      let rest = UnsafeBufferPointer(rebasing: bytes[offset..<limit])
      if let page = OggPage(rest), page.isWhole(rest) { return (page, offset) }
    }
    return nil
  }

  /// True if the checksum of the page at the first byte is right.
  func isWhole(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.little(OggPage.sumPlace, 4) == Int(OggPage.sum(bytes[..<byteCount]))
  }

  /// The number of packets that end in the page at the first byte.
  func packetCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    bytes[OggPage.fixedByteCount..<headByteCount].count { $0 < 255 }
  }

  /// The pieces of packets in the page at the first byte. Each ends here, except the last one when `endsOpen` is true.
  func pieces(_ bytes: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    var place = headByteCount
    for lace in bytes[OggPage.fixedByteCount..<headByteCount] {
      piece += bytes[place..<place + Int(lace)]
      place += Int(lace)
      if lace < 255 {
        pieces.append(piece)
        piece = []
      }
    }
    if endsOpen { pieces.append(piece) }
    return pieces
  }

  /// Changes a whole page, and gives it the checksum that belongs to it.
  static func change(
    _ page: inout [UInt8], serial: [UInt8]? = nil, sequence: Int? = nil, isLast: Bool = false
  ) {
    if let serial { page.replaceSubrange(14..<18, with: serial) }
    if let sequence {
      page.replaceSubrange(18..<22, with: FilePatch.little(0, sequence, 4).bytes)
    }
    if isLast { page[5] |= 4 }
    let sum = sum(page[...])
    page.replaceSubrange(sumPlace..<sumPlace + 4, with: FilePatch.little(0, Int(sum), 4).bytes)
  }

  /// The checksum of a page, which counts its own field as zero.
  private static func sum<Bytes: Collection<UInt8>>(_ page: Bytes) -> UInt32 {
    let head = CyclicSum.oggPage(page.prefix(sumPlace))
    let field = CyclicSum.oggPage.continued(head, [0, 0, 0, 0])
    return CyclicSum.oggPage.continued(field, page.dropFirst(sumPlace + 4))
  }
}
