/// A cyclic redundancy check without reflection and with the initial value zero, as used by FLAC
/// (RFC 9639) and Ogg (RFC 3533).
struct CyclicSum: Sendable {
  /// The checksum of a FLAC frame's header.
  static let flacHeader = CyclicSum(width: 8, polynomial: 0x07)
  /// The checksum of a whole FLAC frame: 0 over a frame that includes its checksum at the end.
  static let flacFrame = CyclicSum(width: 16, polynomial: 0x8005)
  /// The checksum of the header of MPEG audio, which begins with 0xffff.
  static let mpegHeader = flacFrame
  /// The checksum of an Ogg page, with its own checksum field set to zero.
  static let oggPage = CyclicSum(width: 32, polynomial: 0x04c1_1db7)

  private let width: UInt32
  /// Checksums of single bytes, in the high bits.
  private let table: [UInt32]

  private init(width: UInt32, polynomial: UInt32) {
    self.width = width
    let shifted = polynomial << (32 - width)
    table = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte) << 24) { sum, _ in
        sum & 0x8000_0000 != 0 ? sum << 1 ^ shifted : sum << 1
      }
    }
  }

  func callAsFunction(_ bytes: some Sequence<UInt8>) -> UInt32 { continued(0, bytes) }

  /// Continues a checksum with further bytes.
  func continued(_ sum: UInt32, _ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = sum << (32 - width)
    table.withUnsafeBufferPointer { table in
      for byte in bytes { sum = sum << 8 ^ table[Int(sum >> 24) ^ Int(byte)] }
    }
    return sum >> (32 - width)
  }
}
