/// The header of a frame of AAC in ADTS (ISO/IEC 13818-7).
struct ADTSHeader {
  let sampleRate: Int
  /// 0 if the frame itself describes its channels.
  let channelCount: Int
  /// Bytes of the whole frame.
  let byteCount: Int
  let frameCount: Int
  /// The properties that all frames of a sound share: version, profile, sample rate and channels.
  let kind: Int
  /// The configuration of its decoder (ISO/IEC 14496-3, section 1.6.2.1), without extensions.
  let configuration: [UInt8]

  static let headByteCount = 7
  static let rates = [
    96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
  ]

  /// True if a frame may begin with these bytes.
  static func mayBegin(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
    bytes.count >= 4 && bytes.big(0, 2) & 0xfff6 == 0xfff0 && rates.indices.contains(rate(bytes))
  }

  /// nil if no frame begins at the first byte.
  init?(_ bytes: some RandomAccessCollection<UInt8>) {
    guard bytes.count >= ADTSHeader.headByteCount, ADTSHeader.mayBegin(bytes) else { return nil }
    byteCount = bytes.big(3, 3) >> 5 & 0x1fff
    guard byteCount >= ADTSHeader.headByteCount else { return nil }
    sampleRate = ADTSHeader.rates[ADTSHeader.rate(bytes)]
    channelCount = [0, 1, 2, 3, 4, 5, 6, 8][bytes.big(2, 2) >> 6 & 7]
    kind = bytes.big(0, 4) & 0xfffe_fdc0
    // The object type, the rate and the channels.
    let profile = bytes.big(2, 1) >> 6 + 1
    let packed = profile << 11 | ADTSHeader.rate(bytes) << 7 | (bytes.big(2, 2) >> 6 & 7) << 3
    configuration = [UInt8(packed >> 8), UInt8(packed & 0xff)]
    frameCount = 1024 * (bytes.big(6, 1) & 3 + 1)
  }

  private static func rate(_ bytes: some RandomAccessCollection<UInt8>) -> Int {
    bytes.big(2, 1) >> 2 & 15
  }
}
