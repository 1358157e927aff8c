/// The last complete page of a truncated Ogg stream (RFC 3533) with Vorbis or Opus.
struct OggTail {
  let sampleRate: Double
  let frameCount: Int
  /// The offset after the last complete page.
  let byteCount: Int
  /// Marks this page as the last one of the stream.
  let patch: FilePatch

  /// nil if this is not such a stream, or has no sound.
  init?(_ file: FileBytes) {
    let head = file.bytes(at: 0, 64)
    guard file.text(0) == "OggS", let rate = OggTail.rate(head) else { return nil }
    // A page has 65,307 bytes at most.
    let window = max(0, file.count - (1 << 18))
    let bytes = file.bytes(at: window, file.count - window)
    for offset in stride(from: bytes.count - 28, through: 0, by: -1) where bytes[offset] == 0x4f {
      guard bytes[offset..<offset + 4].elementsEqual("OggS".utf8) else { continue }
      let segments = Int(bytes[offset + 26])
      guard offset + 27 + segments <= bytes.count else { continue }
      let size =
        27 + segments + bytes[offset + 27..<offset + 27 + segments].reduce(0) { $0 + Int($1) }
      let granule = FilePatch.number(bytes[offset + 6..<offset + 14])
      guard offset + size <= bytes.count, granule > rate.skipped else { continue }
      guard OggTail.isWhole(bytes[offset..<offset + size]) else { continue }
      var page = Array(bytes[offset..<offset + size])
      page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
      sampleRate = rate.hertz
      frameCount = granule - rate.skipped
      byteCount = window + offset + size
      page[5] |= 4
      page.replaceSubrange(
        22..<26, with: FilePatch.little(0, Int(CyclicSum.oggPage(page)), 4).bytes)
      patch = FilePatch(window + offset, Array(page[..<26]))
      return
    }
    return nil
  }

  /// The granule units per second, and the frames before the first played one.
  private static func rate(_ head: [UInt8]) -> (hertz: Double, skipped: Int)? {
    guard head.count == 64 else { return nil }
    let packet = Array(head[(27 + Int(min(head[26], 8)))...])
    guard packet.count >= 16 else { return nil }
    if packet.starts(with: Array("\u{1}vorbis".utf8)) {
      return (Double(FilePatch.number(packet[12..<16])), 0)
    }
    guard packet.starts(with: Array("OpusHead".utf8)) else { return nil }
    return (48000, FilePatch.number(packet[10..<12]))
  }

  /// True if the page's checksum is right.
  static func isWhole(_ bytes: ArraySlice<UInt8>) -> Bool {
    var page = Array(bytes)
    let sum = Array(page[22..<26])
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    return FilePatch.little(0, Int(CyclicSum.oggPage(page)), 4).bytes == sum
  }
}
