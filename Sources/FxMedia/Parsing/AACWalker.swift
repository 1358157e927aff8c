import FxAudio

/// The frames of AAC in ADTS (ISO/IEC 13818-7), as radio stations send it.
final class AACWalker: PacketWalker {
  private(set) var properties: SoundProperties
  private let reader: ByteReader
  private let window: ByteWindow
  private var number = 0
  private var position = 0
  private var byteTotal = 0

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

  private func header() -> ADTSHeader? {
    window.has(ADTSHeader.headByteCount) ? ADTSHeader(window.bytes()) : nil
  }
}
