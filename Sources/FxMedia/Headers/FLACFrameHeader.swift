/// The header of a FLAC frame (RFC 9639, section 9.1).
struct FLACFrameHeader: Equatable {
  /// Samples per channel.
  let sampleCount: Int
  /// The frame's number, or the number of its first sample when the block size varies.
  let number: Int
  let hasVariableBlocks: Bool
  /// Bytes of the header.
  let byteCount: Int

  /// The number of its first sample.
  func start(in info: FLACStreamInfo) -> Int {
    hasVariableBlocks ? number : number * info.blockSizes.upperBound
  }

  /// The longest possible header in bytes.
  static let longest = 16

  /// nil if no frame begins at the first byte.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 6, bytes[0] == 0xff, bytes[1] & 0xfe == 0xf8 else { return nil }
    var place = 4
    func byte() -> Int? {
      guard place < bytes.count else { return nil }
      defer { place += 1 }
      return Int(bytes[place])
    }
    let sizeCode = Int(bytes[2] >> 4)
    let rateCode = bytes[2] & 15
    guard sizeCode != 0, rateCode != 15, bytes[3] & 1 == 0, bytes[3] >> 4 < 11,
      let first = byte()
    else { return nil }
    // The number is coded like a UTF-8 character.
    let more = first < 0x80 ? 0 : (~UInt8(first)).leadingZeroBitCount - 1
    guard more >= 0, more <= 6, more != 0 || first < 0x80 else { return nil }
    var number = more == 0 ? first : first & (0x3f >> more)
    for _ in 0..<more {
      guard let next = byte(), next & 0xc0 == 0x80 else { return nil }
      number = number << 6 | next & 0x3f
    }
    self.number = number
    hasVariableBlocks = bytes[1] & 1 != 0
    switch sizeCode {
    case 1: sampleCount = 192
    case 2...5: sampleCount = 144 << sizeCode
    case 6:
      guard let low = byte() else { return nil }
      sampleCount = low + 1
    case 7:
      guard let high = byte(), let low = byte() else { return nil }
      sampleCount = high << 8 + low + 1
    default: sampleCount = 1 << sizeCode
    }
    place += rateCode == 12 ? 1 : rateCode == 13 || rateCode == 14 ? 2 : 0
    guard place < bytes.count, CyclicSum.flacHeader(bytes[..<place]) == UInt32(bytes[place]) else {
      return nil
    }
    byteCount = place + 1
  }
}
