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
    guard window.has(4), window.bytes()[..<4].elementsEqual("fLaC".utf8) else {
      throw Failure(.damaged, reader.name, "the header is damaged: no FLAC marker")
    }
    window.skip(4)
    var info: FLACStreamInfo?
    var isLast = false
    while !isLast {
      guard window.has(4) else { throw FLACWalker.cut(reader) }
      let head = window.bytes()
      isLast = head[0] & 0x80 != 0
      let kind = head[0] & 0x7f
      let size = Int(head[1]) << 16 | Int(head[2]) << 8 | Int(head[3])
      if kind == 0, window.has(4 + 34) {
        info = FLACStreamInfo(UnsafeBufferPointer(rebasing: window.bytes(at: 4)[..<34]))
      }
      guard window.skip(4 + size) else { throw FLACWalker.cut(reader) }
    }
    guard let info else {
      throw Failure(
        .damaged, reader.name, "the header is damaged: the format is missing")
    }
    self.info = info
    properties = SoundProperties("FLAC", codec: "FLAC")
    properties.take(
      StreamFormat(sampleRate: Double(info.sampleRate), layout: .flac(info.channelCount)))
    properties.bitsPerSample = info.bitsPerSample
    properties.byteCount = reader.byteCount
    properties.dataOffset = window.offset
    if info.blockSizes.lowerBound == info.blockSizes.upperBound {
      properties.framesPerPacket = info.blockSizes.lowerBound
    }
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

  private static func cut(_ reader: ByteReader) -> Failure {
    reader.hasFailed
      ? reader.error
      : Failure(
        .truncated, reader.name,
        "the file ends within its header after \(reader.offset) bytes; fetch it again")
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
    let block = properties.framesPerPacket ?? info.blockSizes.upperBound
    let start = header.hasVariableBlocks ? header.number : header.number * block
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

/// The first block of a FLAC stream's metadata.
struct FLACStreamInfo: Equatable {
  let blockSizes: ClosedRange<Int>
  let sampleRate: Int
  let channelCount: Int
  let bitsPerSample: Int
  /// 0 if the writer did not know it.
  let sampleCount: Int

  /// nil if the 34 bytes are not valid.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 34 else { return nil }
    let smallest = Int(bytes[0]) << 8 | Int(bytes[1])
    let largest = Int(bytes[2]) << 8 | Int(bytes[3])
    sampleRate = Int(bytes[10]) << 12 | Int(bytes[11]) << 4 | Int(bytes[12]) >> 4
    channelCount = Int(bytes[12] >> 1 & 7) + 1
    bitsPerSample = Int(bytes[12] & 1) << 4 + Int(bytes[13] >> 4) + 1
    sampleCount = bytes[14..<18].reduce(Int(bytes[13] & 15)) { $0 << 8 | Int($1) }
    guard smallest <= largest, largest > 0, sampleRate > 0 else { return nil }
    blockSizes = smallest...largest
  }
}
