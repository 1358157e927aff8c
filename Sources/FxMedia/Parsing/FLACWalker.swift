import FxAudio

/// The frames of native FLAC (RFC 9639).
final class FLACWalker: PacketWalker {
  private(set) var properties: SoundProperties
  private let reader: ByteReader
  private let window: ByteWindow
  private let info: FLACStreamInfo
  private var number = 0
  private var position = 0
  private var origin: Int?
  private var byteTotal = 0
  /// The size limit in bytes for the search for a frame's end.
  private static let longestFrame = 1 << 21

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
    properties = SoundProperties("FLAC", codec: "FLAC")
    properties.take(info.format)
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
    let offset = window.offset
    guard let header = header(at: 0) else {
      guard window.has(2) else { return try end() }
      // Skip bytes that are not a frame, up to the next frame.
      var skipped = 0
      while window.has(FLACFrameHeader.longest) || window.count >= 6 {
        if skipped > 0, header(at: 0) != nil { break }
        window.skip(1)
        skipped += 1
      }
      if header(at: 0) == nil { window.skip(window.count) }
      // Zeros or a tag after the last frame are not part of the sound.
      guard window.count > 0 else { return try end() }
      properties.discontinuityCount += 1
      return .discontinuity(offset: offset)
    }
    let length = length(of: header)
    let start = header.start(in: info)
    if origin == nil { origin = start }
    if start - (origin ?? 0) != position { properties.discontinuityCount += 1 }
    position = max(position, start - (origin ?? 0))
    let packet = SoundPacket(
      number: number, offset: offset, byteCount: length, frame: position,
      frameCount: header.sampleCount)
    number += 1
    position += header.sampleCount
    byteTotal += length
    window.skip(length)
    if info.sampleCount == 0 { estimate() }
    return .packet(packet)
  }

  private func header(at place: Int) -> FLACFrameHeader? {
    guard window.has(place + FLACFrameHeader.longest) || window.count >= place + 6,
      window[place] == 0xff, let header = FLACFrameHeader(window.bytes(at: place)),
      header.sampleCount <= max(info.blockSizes.upperBound, 16)
    else { return nil }
    return header
  }

  /// A frame ends where its checksum is right and another frame, or nothing, follows.
  private func length(of header: FLACFrameHeader) -> Int {
    var sum: UInt32 = 0
    var place = 0
    while place < FLACWalker.longestFrame, window.has(place + 1) {
      sum = CyclicSum.flacFrame.continued(sum, CollectionOfOne(window[place]))
      place += 1
      guard sum == 0, place > header.byteCount + 2 else { continue }
      if !window.has(place + 2) || self.header(at: place) != nil { return place }
    }
    // A damaged frame: it ends at the next header.
    place = header.byteCount
    while place < FLACWalker.longestFrame, window.has(place + 2) {
      if self.header(at: place) != nil { return place }
      place += 1
    }
    return window.count
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

  private func end() throws(Failure) -> PacketStep {
    if reader.hasFailed { throw reader.error }
    properties.packetCount = .init(count: number, certainty: .exact)
    properties.frameCount = .init(count: position, certainty: .exact)
    let rate = FLACWalker.meanBitRate(
      bytes: byteTotal, frames: position, rate: Double(info.sampleRate))
    properties.bitRate = rate.map { .init(value: $0, kind: .variable) }
    return .end
  }
}
