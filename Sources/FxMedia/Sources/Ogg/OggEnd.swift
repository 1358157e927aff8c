/// The last complete page of an Ogg stream. It shows whether the stream is complete, and its length
/// (RFC 3533).
struct OggEnd {
  /// True if the writer marked this page as the last one.
  let isMarked: Bool
  /// The position after this page, in the codec's units; 0 if the value is impossible.
  let granule: Int
  /// The number of bytes after this page.
  let restByteCount: Int

  /// nil if there is no complete page.
  init?(_ tail: ArraySlice<UInt8>) {
    let bytes = Array(tail)
    for offset in stride(from: bytes.count - 28, through: 0, by: -1) where bytes[offset] == 0x4f {
      guard bytes[offset..<offset + 4].elementsEqual("OggS".utf8) else { continue }
      let body = offset + 27 + Int(bytes[offset + 26])
      guard body <= bytes.count else { continue }
      let end = body + bytes[offset + 27..<body].reduce(0) { $0 + Int($1) }
      guard end <= bytes.count, OggTail.isWhole(bytes[offset..<end]) else { continue }
      isMarked = bytes[offset + 5] & 4 != 0
      let place = FilePatch.number(bytes[offset + 6..<offset + 14])
      granule = (0..<OggWalker.granuleLimit).contains(place) ? place : 0
      restByteCount = bytes.count - end
      return
    }
    return nil
  }
}
