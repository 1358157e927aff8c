/// The last whole frame of a FLAC stream that was cut off, and the length that its header has to say
/// (RFC 9639).
struct FLACTail {
  let sampleRate: Double
  let frameCount: Int
  /// Where the last whole frame ends.
  let byteCount: Int
  let patch: FilePatch

  private struct Frame {
    let offset: Int
    let number: Int
    let length: Int
  }

  /// nil for what is no FLAC stream of fixed blocks, or has no whole frame.
  init?(_ file: FileBytes) {
    // STREAMINFO is the first block of metadata.
    let head = file.bytes(at: 0, 42)
    guard head.count == 42, file.text(0) == "fLaC", head[4] & 0x7f == 0 else { return nil }
    let block = Int(head[8]) << 8 | Int(head[9])
    let rate = Int(head[18]) << 12 | Int(head[19]) << 4 | Int(head[20]) >> 4
    guard block > 0, block == Int(head[10]) << 8 | Int(head[11]), rate > 0 else { return nil }
    let start = FLACTail.audioOffset(file)
    // Several frames of the most channels and bits.
    let window = max(start, file.count - (8 << 20))
    let bytes = file.bytes(at: window, file.count - window)
    var later: Frame?
    var found: (end: Int, count: Int)?
    for offset in stride(from: bytes.count - 6, through: 0, by: -1)
    where bytes[offset] == 0xff && bytes[offset + 1] == 0xf8 {
      guard let frame = FLACTail.frame(bytes, offset, block) else { continue }
      let end = later?.offset ?? bytes.count
      if FLACTail.sum16(bytes[offset..<end]) == 0 {
        found = (window + end, frame.number * block + frame.length)
        break
      }
      later = frame
    }
    guard let found else { return nil }
    sampleRate = Double(rate)
    frameCount = found.count
    byteCount = found.end
    patch = FilePatch(
      21,
      [head[21] & 0xf0 | UInt8(truncatingIfNeeded: found.count >> 32 & 0xf)]
        + FilePatch.big(0, found.count, 4).bytes)
  }

  private static func audioOffset(_ file: FileBytes) -> Int {
    var offset = 4
    for _ in 0..<SoundLayout.chunkLimit {
      guard let kind = file.big(offset, 1), let size = file.big(offset + 1, 3) else { break }
      offset += 4 + size
      if kind & 0x80 != 0 { break }
    }
    return offset
  }

  /// The header of a frame, where one begins there.
  private static func frame(_ bytes: [UInt8], _ offset: Int, _ block: Int) -> Frame? {
    var place = offset + 4
    func byte() -> Int? {
      guard place < bytes.count else { return nil }
      defer { place += 1 }
      return Int(bytes[place])
    }
    let sizeCode = bytes[offset + 2] >> 4
    let rateCode = bytes[offset + 2] & 15
    guard sizeCode != 0, rateCode != 15, bytes[offset + 3] & 1 == 0, let first = byte() else {
      return nil
    }
    // The number is coded as a character of UTF-8.
    let more = first < 0x80 ? 0 : (~UInt8(first)).leadingZeroBitCount - 1
    guard more >= 0, more <= 6, more != 0 || first < 0x80 else { return nil }
    var number = more == 0 ? first : first & (0x3f >> more)
    for _ in 0..<more {
      guard let next = byte(), next & 0xc0 == 0x80 else { return nil }
      number = number << 6 | next & 0x3f
    }
    var length = block
    if sizeCode == 6 {
      guard let low = byte() else { return nil }
      length = low + 1
    } else if sizeCode == 7 {
      guard let high = byte(), let low = byte() else { return nil }
      length = high << 8 + low + 1
    }
    place += rateCode == 12 ? 1 : rateCode == 13 || rateCode == 14 ? 2 : 0
    guard place < bytes.count, sum8(bytes[offset..<place]) == bytes[place] else { return nil }
    return Frame(offset: offset, number: number, length: length)
  }

  private static func sum8(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    var sum: UInt8 = 0
    for byte in bytes {
      sum ^= byte
      for _ in 0..<8 { sum = sum & 0x80 != 0 ? sum << 1 ^ 0x07 : sum << 1 }
    }
    return sum
  }

  /// 0 over a frame with the sum at its end.
  private static func sum16(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    var sum: UInt16 = 0
    for byte in bytes {
      sum ^= UInt16(byte) << 8
      for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
    }
    return sum
  }
}
