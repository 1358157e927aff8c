import FxAudio

/// The header of a WAV stream, read in order up to the first sample.
struct WAVStreamHeader {
  let format: StreamFormat
  let sample: StoredSample
  let bytesPerFrame: Int
  /// Frames that the header declares; nil if its writer could not know.
  let frameCount: Int?
  /// True if the whole file ends with the samples, as its header declares it. Then bytes behind
  /// them are not part of the file.
  private(set) var endsWithSamples = true

  /// Reads up to the first sample. nil, without consuming any bytes, for an encoding that only the
  /// library can decode.
  ///
  /// - Parameter wholeFrameCount: the real length, used instead of the header's.
  init?(_ stream: ByteReader, wholeFrameCount: Int? = nil) throws(Failure) {
    var offset = 12
    var format: (tag: Int, channels: Int, rate: Int, block: Int, bits: Int)?
    var mask = 0
    var longSize: Int?
    var whole = WAVStreamHeader.number(try stream.peek(at: 4, 4), 0, 4) + 8
    while true {
      guard offset <= WAVStreamHeader.largest else {
        throw Failure(
          .damaged, stream.name, "no sound in the first 16 MB of the stream: no 'data' chunk")
      }
      let bytes = try stream.peek(at: offset, 8)
      guard bytes.count == 8 else { throw WAVStreamHeader.cut(stream) }
      let size = WAVStreamHeader.number(bytes, 4, 4)
      let id = Array(bytes[0..<4])
      if id == Array("data".utf8) {
        guard let format, let sample = WAVStreamHeader.sample(format.tag, format.bits),
          format.channels > 0, (100...3_072_000).contains(format.rate),
          format.block == format.channels * sample.byteCount
        else { return nil }
        self.format = StreamFormat(
          sampleRate: Double(format.rate),
          layout: ChannelLayout(mask: UInt32(mask), channelCount: format.channels))
        self.sample = sample
        bytesPerFrame = format.block
        // For a pipe, writers leave all ones, zero, or nearly the largest signed number here.
        let known = size == 0xffff_ffff ? longSize : size
        endsWithSamples = known.map { whole <= offset + 8 + $0 + 1 } ?? true
        frameCount =
          wholeFrameCount
          ?? known.flatMap { $0 == 0 || $0 >= 0x7fff_0000 && longSize == nil ? nil : $0 }
          .map { $0 / format.block }
        offset += 8
        break
      }
      guard size <= 1 << 20 else { return nil }
      let chunk = try stream.peek(at: offset + 8, size)
      guard chunk.count == size else { throw WAVStreamHeader.cut(stream) }
      if id == Array("fmt ".utf8), size >= 16 {
        var tag = WAVStreamHeader.number(chunk, 0, 2)
        // WAVE_FORMAT_EXTENSIBLE: the tag begins the identifier (GUID), after the channel mask.
        if tag == 0xfffe, size >= 26 {
          guard size < 40 || WAVStreamHeader.isKnown(chunk[26..<40]) else { return nil }
          tag = WAVStreamHeader.number(chunk, 24, 2)
          mask = WAVStreamHeader.number(chunk, 20, 4)
        }
        format = (
          tag, WAVStreamHeader.number(chunk, 2, 2), WAVStreamHeader.number(chunk, 4, 4),
          WAVStreamHeader.number(chunk, 12, 2), WAVStreamHeader.number(chunk, 14, 2)
        )
      } else if id == Array("ds64".utf8), size >= 16 {
        let low = WAVStreamHeader.number(chunk, 8, 4)
        let high = WAVStreamHeader.number(chunk, 12, 4)
        longSize = high < 1 << 30 ? high << 32 | low : nil
        whole =
          WAVStreamHeader.number(chunk, 0, 4) | (WAVStreamHeader.number(chunk, 4, 4) & 0x3fff_ffff)
          << 32
      }
      offset += 8 + size + size % 2
    }
    var header = [UInt8](repeating: 0, count: offset)
    _ = header.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { stream.readFully($0, offset) }
    }
  }

  /// The most bytes that are buffered in the search for the first sample.
  private static let largest = 16 << 20

  private static func sample(_ tag: Int, _ bits: Int) -> StoredSample? {
    switch (tag, bits) {
    case (1, 8): .uint8
    case (1, 16): .int16
    case (1, 24): .int24Packed
    case (1, 32): .int32
    case (3, 32): .float32
    case (3, 64): .float64
    default: nil
    }
  }

  /// True for a known rest of the identifier after its tag: the usual one, and that of ambisonics.
  private static func isKnown(_ rest: ArraySlice<UInt8>) -> Bool {
    [
      [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71],
      [0, 0, 0x21, 7, 0xd3, 0x11, 0x86, 0x44, 0xc8, 0xc1, 0xca, 0, 0, 0],
    ].contains(Array(rest))
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    guard offset + count <= bytes.count else { return 0 }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func cut(_ stream: ByteReader) -> Failure {
    Failure(.truncated, stream.name, "the stream ends within the WAV header")
  }
}

/// WAV whose samples need no library, from a pipe or a file.
final class WAVStreamSource: AudioSource {
  let name: String
  let format: StreamFormat
  private(set) var frameCount: Int?
  private(set) var warnings: [String] = []
  var isSeekable: Bool { stream.isSeekable }
  private let stream: ByteReader
  private let header: WAVStreamHeader
  private let bytes: UnsafeMutableRawPointer
  private var position = 0
  /// True as long as the bytes behind the declared end were not looked at.
  private var hasUnknownEnd: Bool
  /// The byte offset of the first sample.
  private let start: Int
  private static let blockFrameCount = 4096

  /// - Parameter isLengthKnown: the declared length is right.
  init(
    _ stream: ByteReader, _ header: WAVStreamHeader, warnings: [String] = [],
    isLengthKnown: Bool = false
  ) {
    self.stream = stream
    self.header = header
    self.warnings = warnings
    start = stream.offset
    name = stream.name
    format = header.format
    frameCount =
      header.frameCount
      ?? stream.byteCount.map { max($0 - stream.offset, 0) / max(header.bytesPerFrame, 1) }
    hasUnknownEnd = !isLengthKnown && header.frameCount != nil
    bytes = .allocate(
      byteCount: WAVStreamSource.blockFrameCount * header.bytesPerFrame, alignment: 16)
  }

  deinit { bytes.deallocate() }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    if let end = self.frameCount, position >= end, hasUnknownEnd { try lookBehindEnd() }
    // The bytes behind the samples are not sound.
    let left = self.frameCount.map { $0 - position } ?? Int.max
    let wanted = min(frameCount, WAVStreamSource.blockFrameCount, left)
    guard wanted > 0 else { return 0 }
    let got = stream.readFully(bytes, wanted * header.bytesPerFrame)
    guard got >= 0, !stream.wasInterrupted else { throw stream.error }
    let count = got / header.bytesPerFrame
    if count == 0, position == 0, self.frameCount != nil {
      throw Failure(.truncated, name, "the stream ends right after its header, without any sound")
    }
    if count < wanted, self.frameCount != nil, warnings.isEmpty {
      warnings.append("truncated: the stream ended before its header said")
    }
    if got % header.bytesPerFrame != 0, warnings.isEmpty {
      warnings.append("truncated: the stream ended within a frame")
    }
    SampleDecoder(header.sample, channelCount: format.channelCount, silencesNonFinite: false)
      .decode(bytes, frameCount: count, into: channels, width: format.channelCount, offset: 0)
    position += count
    return count
  }

  /// Decides at the declared end whether the sound ends there.
  private func lookBehindEnd() throws(Failure) {
    hasUnknownEnd = false
    guard let end = frameCount else { return }
    let trailing = TrailingBytes(try stream.peek(TrailingBytes.wantedByteCount))
    if trailing == .unknown, header.endsWithSamples {
      frameCount = nil
      warnings.append(LossLog.goesOn(behind: end, format.sampleRate))
    } else if let warning = trailing.warning {
      warnings.append(warning)
    }
  }

  func seek(toFrame frame: Int) throws(Failure) {
    if stream.isSeekable {
      let target = min(max(frame, 0), frameCount ?? Int.max)
      let place = start + target * header.bytesPerFrame
      guard stream.seek(to: place) else { throw stream.error }
      position = target
      return
    }
    guard frame >= position else {
      throw Failure(.unreadable, name, "cannot seek back in a pipe")
    }
    try skip(frame - position)
  }

  func interrupt() { stream.interrupt() }
}
