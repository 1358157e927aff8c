/// The header of a frame of AAC in ADTS (ISO/IEC 13818-7).
struct ADTSHeader {
  let sampleRate: Int
  /// 0 if the frame itself describes its channels.
  let channelCount: Int
  /// Bytes of the whole frame.
  let byteCount: Int
  let frameCount: Int

  static let headByteCount = 7
  private static let rates = [
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
    frameCount = 1024 * (bytes.big(6, 1) & 3 + 1)
  }

  private static func rate(_ bytes: some RandomAccessCollection<UInt8>) -> Int {
    bytes.big(2, 1) >> 2 & 15
  }
}
