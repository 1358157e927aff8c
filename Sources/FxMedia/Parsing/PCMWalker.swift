import FxAudio

/// The frames of a file with interleaved samples, returned in runs.
final class PCMWalker: PacketWalker {
  private(set) var properties: SoundProperties
  var keepsBytes = false
  private let reader: ByteReader
  private let window: ByteWindow
  private let frameByteCount: Int
  private var position = 0
  private var left: Int
  /// The bytes that the header or the size of the stream promises.
  private let promised: Int
  private var isEndKnown = false
  private static let run = 4096

  @Sendable
  static func walk(_ reader: ByteReader) throws(Failure) -> any PacketWalker {
    try PCMWalker(reader)
  }

  init(_ reader: ByteReader) throws(Failure) {
    self.reader = reader
    window = ByteWindow(reader)
    ID3Tag.skip(window)
    let start = window.offset
    let header: PCMHeader
    do throws(Failure) {
      let bytes = HeaderBytes(window, name: reader.name, byteCount: reader.byteCount)
      header = try PCMHeader(bytes)
      guard window.skip(start + header.dataOffset - window.offset) else {
        throw bytes.cut(window.offset - start)
      }
    } catch {
      throw reader.hasFailed ? reader.error : error
    }
    properties = SoundProperties(header.container, codec: header.codec)
    properties.take(header.format)
    if header.mask == 0 {
      properties.layout =
        ChannelLayout.usual(header.channelCount).isNamed
        ? "\(ChannelLayout.usual(header.channelCount))" : nil
    }
    properties.bitsPerSample = header.bitsPerSample
    properties.isFloat = header.isFloat
    properties.byteCount = reader.byteCount
    properties.dataOffset = window.offset
    frameByteCount = header.isPlain ? header.frameByteCount : 0
    let dataOffset = window.offset
    let there = reader.byteCount.map { max($0 - dataOffset, 0) }
    let said = header.dataByteCount
    let size = [there, said].compactMap { $0 }.min()
    left = size ?? Int.max
    promised = said ?? there ?? 0
    guard header.isPlain else { return }
    properties.framesPerPacket = 1
    properties.bitRate = .init(
      value: header.sampleRate * Double(8 * frameByteCount), kind: .constant)
    guard let size else { return }
    let certainty: SoundProperties.Certainty = there == nil ? .declared : .exact
    properties.frameCount = .init(count: size / frameByteCount, certainty: certainty)
    properties.packetCount = properties.frameCount
    if let there, let said, said > there { properties.discontinuityCount = 1 }
  }

  func next() throws(Failure) -> PacketStep {
    guard frameByteCount > 0 else { return .end }
    // A frame begins behind missing bytes.
    if window.count < frameByteCount, !window.has(frameByteCount) {
      let offset = window.offset
      let rest = window.count
      window.skip(rest)
      if window.passHole() {
        left -= rest
        properties.discontinuityCount += 1
        return .discontinuity(offset: offset)
      }
    }
    let wanted = min(PCMWalker.run, left / frameByteCount)
    let offset = window.offset
    _ = window.has(min(wanted, PCMWalker.run) * frameByteCount)
    let count = min(wanted, window.count / frameByteCount)
    guard count > 0 else {
      if reader.hasFailed { throw reader.error }
      let start = properties.dataOffset ?? 0
      if !isEndKnown, properties.discontinuityCount == 0 || reader.byteCount != nil,
        promised - (window.offset - start) >= frameByteCount
      {
        isEndKnown = true
        if reader.byteCount == nil { properties.discontinuityCount += 1 }
        return .discontinuity(offset: window.offset)
      }
      properties.frameCount = .init(count: position, certainty: .exact)
      properties.packetCount = properties.frameCount
      return .end
    }
    let bytes = kept(window.bytes()[..<(count * frameByteCount)])
    window.skip(count * frameByteCount)
    left -= count * frameByteCount
    defer { position += count }
    return .packet(
      SoundPacket(
        number: position, count: count, offset: offset, byteCount: count * frameByteCount,
        frame: position, frameCount: count, bytes: bytes))
  }
}
