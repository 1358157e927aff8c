import FxAudio

/// The frames of native FLAC (RFC 9639).
final class FLACWalker: PacketWalker {
  private(set) var properties: SoundProperties
  var keepsBytes = false
  private let reader: ByteReader
  private let window: ByteWindow
  private let info: FLACStreamInfo
  private var number = 0
  private var position = 0
  private var origin: Int?
  private var byteTotal = 0
  /// Frames of the joined files before.
  private var earlier = 0
  /// True behind a discontinuity, until a whole frame follows.
  private var isRecovering = false
  /// A packet that follows a discontinuity.
  private var waiting: SoundPacket?
  private let frames: FLACFrameFinder

  /// - Throws: `truncated` or `damaged` if the header is incomplete.
  init(_ reader: ByteReader) throws(Failure) {
    self.reader = reader
    window = ByteWindow(reader)
    ID3Tag.skip(window)
    let start = window.offset
    do throws(Failure) {
      let bytes = HeaderBytes(window, name: reader.name, byteCount: reader.byteCount)
      let header = try FLACHeader(bytes)
      guard window.skip(start + header.audioOffset - window.offset) else {
        throw bytes.cut(window.offset - start)
      }
      info = header.info
    } catch {
      throw reader.hasFailed ? reader.error : error
    }
    frames = FLACFrameFinder(window, info)
    properties = SoundProperties("FLAC", codec: "FLAC")
    properties.take(info.format)
    properties.magicCookie = info.bytes
    properties.bitsPerSample = info.bitsPerSample
    properties.byteCount = reader.byteCount
    properties.dataOffset = window.offset
    properties.framesPerPacket = info.constantBlockSize
    guard info.sampleCount > 0 else { return }
    properties.frameCount = .init(count: info.sampleCount, certainty: .declared)
    if let block = properties.framesPerPacket {
      properties.packetCount = .init(
        count: (info.sampleCount + block - 1) / block, certainty: .declared)
    }
    if let size = properties.byteCount {
      let rate = FLACWalker.meanBitRate(
        bytes: size - window.offset, frames: info.sampleCount, rate: Double(info.sampleRate))
      properties.bitRate = rate.map { .init(value: $0, kind: .variable) }
    }
  }

  func next() throws(Failure) -> PacketStep {
    if let packet = waiting {
      waiting = nil
      return .packet(packet)
    }
    let offset = window.offset
    var hasLoss = false
    while let found = frames.next(at: expected) {
      switch found {
      case .gap: hasLoss = true
      case .stream: begin()
      case .frame(let header, let length, let isWhole):
        let start = header.start(in: info)
        if origin == nil { origin = start }
        let place = start - (origin ?? 0)
        hasLoss = hasLoss || !isWhole || place != position
        position = max(position, place)
        let packet = take(header, length)
        defer { isRecovering = !isWhole }
        guard hasLoss, !isRecovering else { return .packet(packet) }
        properties.discontinuityCount += 1
        waiting = packet
        return .discontinuity(offset: offset)
      }
    }
    if reader.hasFailed { throw reader.error }
    let lacksEnd =
      info.sampleCount > 0 && properties.laterSoundCount == 0 && !isRecovering
      && position + (origin ?? 0) < info.sampleCount
    if lacksEnd {
      isRecovering = true
      properties.discontinuityCount += 1
      return .discontinuity(offset: window.offset)
    }
    return end()
  }

  /// The number of the next frame's first sample, if nothing is missing.
  private var expected: Int? { origin.map { $0 + position } }

  /// Starts with a joined file.
  private func begin() {
    earlier += position
    position = 0
    origin = nil
    isRecovering = false
    properties.laterSoundCount += 1
  }

  private func take(_ header: FLACFrameHeader, _ length: Int) -> SoundPacket {
    let packet = SoundPacket(
      number: number, offset: window.offset, byteCount: length, frame: earlier + position,
      frameCount: header.sampleCount, bytes: kept(window.bytes()[..<length]))
    number += 1
    position += header.sampleCount
    byteTotal += length
    window.skip(length)
    if info.sampleCount == 0 { estimate() }
    return packet
  }

  private func estimate() {
    guard let size = properties.byteCount, let start = properties.dataOffset, byteTotal > 0,
      let rate = properties.sampleRate
    else { return }
    let frames = Double(size - start) * Double(position) / Double(byteTotal)
    properties.frameCount = .init(count: Int(frames.rounded()), certainty: .estimated)
    properties.bitRate = FLACWalker.meanBitRate(bytes: byteTotal, frames: position, rate: rate).map
    { .init(value: $0, kind: .estimated) }
  }

  private func end() -> PacketStep {
    let position = earlier + position
    properties.packetCount = .init(count: number, certainty: .exact)
    properties.frameCount = .init(count: position, certainty: .exact)
    let rate = FLACWalker.meanBitRate(
      bytes: byteTotal, frames: position, rate: Double(info.sampleRate))
    properties.bitRate = rate.map { .init(value: $0, kind: .variable) }
    return .end
  }
}
