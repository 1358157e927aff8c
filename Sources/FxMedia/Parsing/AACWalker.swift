import FxAudio

/// The frames of AAC in ADTS (ISO/IEC 13818-7), as radio stations send it.
final class AACWalker: PacketWalker {
  private(set) var properties: SoundProperties
  private let reader: ByteReader
  private let window: ByteWindow
  private var number = 0
  private var position = 0
  private var byteTotal = 0
  private static let rates = [
    96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
  ]

  private struct Header {
    let sampleRate: Int
    let channelCount: Int
    let byteCount: Int
    let frameCount: Int
  }

  init(_ reader: ByteReader) throws(Failure) {
    self.reader = reader
    window = ByteWindow(reader)
    properties = SoundProperties("ADTS", codec: "AAC")
    ID3Tag.skip(window)
    guard let header = header() else {
      throw reader.hasFailed
        ? reader.error : Failure(.damaged, reader.name, "the header is damaged: no AAC frame")
    }
    properties.take(
      StreamFormat(
        sampleRate: Double(header.sampleRate), channelCount: max(header.channelCount, 1)))
    properties.framesPerPacket = header.frameCount
    properties.dataOffset = window.offset
    properties.byteCount = reader.byteCount
  }

  func next() throws(Failure) -> PacketStep {
    let offset = window.offset
    guard let header = header(), window.has(header.byteCount) else {
      let isOver = !window.has(7)
      if reader.hasFailed { throw reader.error }
      if isOver, window.count == 0 {
        properties.packetCount = .init(count: number, certainty: .exact)
        properties.frameCount = .init(count: position, certainty: .exact)
        return .end
      }
      repeat { window.skip(1) } while window.has(7) && self.header() == nil
      if !window.has(7) { window.skip(window.count) }
      properties.discontinuityCount += 1
      return .discontinuity(offset: offset)
    }
    let packet = SoundPacket(
      number: number, offset: offset, byteCount: header.byteCount, frame: position,
      frameCount: header.frameCount)
    number += 1
    position += header.frameCount
    byteTotal += header.byteCount
    window.skip(header.byteCount)
    let mean = AACWalker.meanBitRate(
      bytes: byteTotal, frames: position, rate: properties.sampleRate ?? 1)
    if let mean { properties.bitRate = .init(value: mean, kind: .estimated) }
    if let size = properties.byteCount, let start = properties.dataOffset {
      let packets = Double(size - start) * Double(number) / Double(byteTotal)
      properties.packetCount = .init(count: Int(packets.rounded()), certainty: .estimated)
      properties.frameCount = .init(
        count: Int((packets * Double(position) / Double(number)).rounded()), certainty: .estimated)
    }
    return .packet(packet)
  }

  private func header() -> Header? {
    guard window.has(7), window[0] == 0xff, window[1] & 0xf6 == 0xf0 else { return nil }
    let rate = Int(window[2] >> 2 & 15)
    let length = Int(window[3] & 3) << 11 | Int(window[4]) << 3 | Int(window[5]) >> 5
    guard rate < AACWalker.rates.count, length >= 7 else { return nil }
    return Header(
      sampleRate: AACWalker.rates[rate],
      channelCount: [0, 1, 2, 3, 4, 5, 6, 8][Int(window[2] & 1) << 2 | Int(window[3]) >> 6],
      byteCount: length, frameCount: 1024 * (Int(window[6] & 3) + 1))
  }
}
