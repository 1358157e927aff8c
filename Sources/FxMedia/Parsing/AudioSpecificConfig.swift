/// The configuration of an AAC decoder (ISO/IEC 14496-3, section 1.6.2.1).
struct AudioSpecificConfig {
  let sampleRate: Int
  /// 0 if the packets describe their channels.
  let channelCount: Int
  /// The formats of spectral band replication, and of parametric stereo; empty without them.
  let richerFormats: [SoundFormat]

  private struct Bits {
    let bytes: [UInt8]
    var place = 0
    var left: Int { 8 * bytes.count - place }

    mutating func take(_ count: Int) -> Int {
      var value = 0
      for _ in 0..<count {
        let byte = place / 8
        value = value << 1 | (byte < bytes.count ? Int(bytes[byte] >> (7 - place % 8)) & 1 : 0)
        place += 1
      }
      return value
    }

    mutating func takeKind() -> Int {
      let kind = take(5)
      return kind == 31 ? 32 + take(6) : kind
    }

    mutating func takeRate() -> Int {
      let index = take(4)
      if index == 15 { return take(24) }
      return ADTSHeader.rates.indices.contains(index) ? ADTSHeader.rates[index] : 0
    }
  }

  /// nil for bytes that describe no AAC.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    var bits = Bits(bytes: bytes)
    var kind = bits.takeKind()
    sampleRate = bits.takeRate()
    let channels = bits.take(4)
    channelCount = channels == 7 ? 8 : channels
    var richRate: Int?
    var isParametric = kind == 29
    if kind == 5 || kind == 29 {
      richRate = bits.takeRate()
      kind = bits.takeKind()
    } else if [1, 2, 3, 4].contains(kind) {
      // An extension at the end, which plain decoders ignore.
      _ = bits.take(1)
      if bits.take(1) == 1 { _ = bits.take(14) }
      _ = bits.take(1)
      if bits.left >= 16, bits.take(11) == 0x2b7, bits.takeKind() == 5, bits.take(1) == 1 {
        richRate = bits.takeRate()
        isParametric = bits.left >= 12 && bits.take(11) == 0x548 && bits.take(1) == 1
      }
    }
    guard sampleRate > 0, channels < 8 else { return nil }
    guard let richRate, richRate > 0 else {
      richerFormats = []
      return
    }
    let rich = SoundFormat(
      codec: "HE-AAC", sampleRate: Double(richRate), channelCount: channelCount,
      framesPerPacket: 1024 * richRate / sampleRate, isCertain: true)
    var parametric = rich
    parametric.codec = "HE-AAC v2"
    parametric.channelCount = 2
    richerFormats = isParametric && channelCount == 1 ? [rich, parametric] : [rich]
  }
}
