import FxAudio

/// The frames of AAC in ADTS (ISO/IEC 13818-7), as radio stations send it.
final class AACWalker: PacketWalker {
  private(set) var properties: SoundProperties
  var keepsBytes = false
  private let reader: ByteReader
  private let window: ByteWindow
  private var number = 0
  private var position = 0
  private var byteTotal = 0
  /// What all frames share; a run of frames may change it.
  private var kind = 0
  /// A packet that follows a discontinuity.
  private var waiting: SoundPacket?

  init(_ reader: ByteReader) throws(Failure) {
    self.reader = reader
    window = ByteWindow(reader)
    properties = SoundProperties("ADTS", codec: "AAC")
    ID3Tag.skip(window)
    guard let header = header(at: 0) else {
      throw reader.hasFailed
        ? reader.error : Failure(.damaged, reader.name, "the header is damaged: no AAC frame")
    }
    kind = header.kind
    properties.take(
      StreamFormat(
        sampleRate: Double(header.sampleRate), channelCount: max(header.channelCount, 1)))
    properties.magicCookie = header.configuration
    properties.framesPerPacket = header.frameCount
    if header.sampleRate <= 24000 {
      // Nothing in the header of a frame says that it has spectral band replication.
      properties.richerFormats = [
        SoundFormat(
          codec: "HE-AAC", sampleRate: Double(2 * header.sampleRate),
          channelCount: max(header.channelCount, 1), framesPerPacket: 2 * header.frameCount,
          isCertain: false)
      ]
    }
    properties.dataOffset = window.offset
    properties.byteCount = reader.byteCount
  }

  func next() throws(Failure) -> PacketStep {
    if let packet = waiting {
      waiting = nil
      return .packet(packet)
    }
    let offset = window.offset
    var hasLoss = false
    while window.has(ADTSHeader.headByteCount) || window.count > 0 || window.passHole() {
      if let header = header(at: 0), header.kind == kind, window.has(header.byteCount) {
        // Behind missing bytes a frame begins within the one before.
        if isFollowed(at: header.byteCount) || !hasFrame(inside: header.byteCount) {
          let packet = take(header)
          guard hasLoss else { return .packet(packet) }
          waiting = packet
          return lose(offset)
        }
      } else if let header = header(at: 0), header.kind != kind, isRun(at: 0, header.kind) {
        kind = header.kind
        continue
      }
      if window.count > 0 { skip() }
      hasLoss = true
    }
    if reader.hasFailed { throw reader.error }
    return hasLoss ? lose(offset) : end()
  }

  /// Skips bytes that are no frame, up to the next one, or to a hole.
  private func skip() {
    repeat {
      window.skip(1)
    } while window.has(ADTSHeader.headByteCount)
      && !isRun(at: 0, kind, limit: 2) && header(at: 0).map { isRun(at: 0, $0.kind) } != true
    if !window.has(ADTSHeader.headByteCount) { window.skip(window.count) }
  }

  private func lose(_ offset: Int) -> PacketStep {
    properties.discontinuityCount += 1
    return .discontinuity(offset: offset)
  }

  private func end() -> PacketStep {
    properties.packetCount = .init(count: number, certainty: .exact)
    properties.frameCount = .init(count: position, certainty: .exact)
    return .end
  }

  private func take(_ header: ADTSHeader) -> SoundPacket {
    let packet = SoundPacket(
      number: number, offset: window.offset, byteCount: header.byteCount, frame: position,
      frameCount: header.frameCount, bytes: kept(window.bytes()[..<header.byteCount]))
    number += 1
    position += header.frameCount
    byteTotal += header.byteCount
    window.skip(header.byteCount)
    estimate()
    return packet
  }

  private func estimate() {
    let mean = AACWalker.meanBitRate(
      bytes: byteTotal, frames: position, rate: properties.sampleRate ?? 1)
    if let mean { properties.bitRate = .init(value: mean, kind: .estimated) }
    if let size = properties.byteCount, let start = properties.dataOffset {
      let packets = Double(size - start) * Double(number) / Double(byteTotal)
      properties.packetCount = .init(count: Int(packets.rounded()), certainty: .estimated)
      properties.frameCount = .init(
        count: Int((packets * Double(position) / Double(number)).rounded()), certainty: .estimated)
    }
  }

  private func header(at place: Int) -> ADTSHeader? {
    window.has(place + ADTSHeader.headByteCount) ? ADTSHeader(window.bytes(at: place)) : nil
  }

  /// True if a frame or the end of the bytes is here.
  private func isFollowed(at place: Int) -> Bool {
    header(at: place) != nil || !window.has(place + ADTSHeader.headByteCount)
  }

  /// True if another frame begins within the bytes that the next frame claims.
  private func hasFrame(inside byteCount: Int) -> Bool {
    (ADTSHeader.headByteCount..<max(byteCount, ADTSHeader.headByteCount)).contains {
      window[$0] == 0xff && isRun(at: $0, kind, limit: 2)
    }
  }

  /// True if frames of a kind follow each other here. At the end of the bytes one less is enough.
  private func isRun(at first: Int, _ kind: Int, limit: Int = 3) -> Bool {
    var place = first
    for count in 0..<limit {
      guard window.has(place + ADTSHeader.headByteCount) else { return count >= limit - 1 }
      guard let header = header(at: place), header.kind == kind else { return false }
      place += header.byteCount
    }
    return true
  }
}
