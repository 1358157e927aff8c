import FxAudio

/// The four-byte header of an MPEG audio frame (ISO/IEC 11172-3, 13818-3, and the unofficial
/// extension 2.5 for lower sample rates).
struct MPEGHeader: BitwiseCopyable, Equatable {
  private let bits: UInt32

  /// nil for bytes that cannot begin a frame.
  init?(_ bytes: UnsafePointer<UInt8>) {
    guard bytes[0] == 0xff, bytes[1] & 0xe0 == 0xe0 else { return nil }
    self.init(
      bits: UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8
        | UInt32(bytes[3]))
  }

  private init?(bits: UInt32) {
    // Version 1, layer 0, rate 3 and bit rate 15 are reserved.
    guard bits >> 19 & 3 != 1, bits >> 17 & 3 != 0, bits >> 12 & 15 != 15, bits >> 10 & 3 != 3
    else { return nil }
    self.bits = bits
  }

  /// The properties that stay the same within one sound: version, layer, sample rate, and mono or
  /// not.
  var kind: UInt32 { bits & 0xfffe_0c00 | (isMono ? 1 : 0) }

  var isMono: Bool { bits >> 6 & 3 == 3 }
  var channelCount: Int { isMono ? 1 : 2 }
  var layer: Int { 4 - Int(bits >> 17 & 3) }
  /// True for MPEG-2 and 2.5, which have half the samples in a frame of layer III.
  var isLowRate: Bool { bits >> 19 & 1 == 0 }
  /// The header gives no bit rate; the distance between two frames gives it.
  var isFreeFormat: Bool { bits >> 12 & 15 == 0 }

  var sampleRate: Int {
    let code = bits >> 10 & 3
    let rate = code == 0 ? 44100 : code == 1 ? 48000 : 32000
    return bits >> 20 & 1 == 0 ? rate / 4 : isLowRate ? rate / 2 : rate
  }

  var format: StreamFormat {
    StreamFormat(sampleRate: Double(sampleRate), channelCount: channelCount)
  }

  var samplesPerFrame: Int { layer == 1 ? 384 : layer == 3 && isLowRate ? 576 : 1152 }

  /// Bytes added by padding.
  var paddingByteCount: Int { bits >> 9 & 1 == 0 ? 0 : layer == 1 ? 4 : 1 }

  /// In bits per second; 0 in free format.
  var bitRate: Int {
    let table = isLowRate ? (layer == 1 ? 3 : 4) : layer - 1
    return (Int(MPEGHeader.kilobits.utf8Start[15 * table + Int(bits >> 12 & 15)]) - 48) * 8000
  }

  /// The size of the whole frame in bytes; nil in free format.
  var byteCount: Int? {
    let rate = bitRate
    guard rate > 0 else { return nil }
    if layer == 1 { return rate * 12 / sampleRate * 4 + paddingByteCount }
    return rate * (samplesPerFrame / 8) / sampleRate + paddingByteCount
  }

  /// True if a checksum follows the header.
  var hasSum: Bool { bits >> 16 & 1 == 0 }

  /// Bytes of layer III between the header and the main data, without the checksum.
  var sideInfoByteCount: Int { isLowRate ? (isMono ? 9 : 17) : (isMono ? 17 : 32) }

  /// Bytes before the main data of layer III.
  var mainDataOffset: Int { 4 + (hasSum ? 2 : 0) + sideInfoByteCount }

  /// In units of 8 kbit/s, from the character 0 on: a row of 15 for each kind of header. A text
  /// needs no memory and no counting of references in a loop over all frames of a file.
  private static let kilobits: StaticString =
    "048<@DHLPTX\\`dh04678:<>@DHLPX`045678:<>@DHLPX04678:<>@BDFHLP012345678:<>@BD"
}
