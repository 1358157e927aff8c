import FxAudio

/// WAV whose samples need no library, from a pipe or a file.
final class WAVStreamSource: AudioSource {
  let name: String
  let format: StreamFormat
  private(set) var frameCount: Int?
  private(set) var warnings: [String] = []
  var isSeekable: Bool { stream.isSeekable }
  private let stream: ByteReader
  private let header: PCMHeader
  private let decoder: SampleDecoder
  private let bytes: UnsafeMutableRawPointer
  private var position = 0
  /// True as long as the bytes behind the declared end were not looked at.
  private var hasUnknownEnd: Bool
  /// The byte offset of the first sample.
  private let start: Int
  private static let blockFrameCount = 4096

  /// nil if only a library can decode the samples.
  ///
  /// - Parameters:
  ///   - header: that of the reader's next bytes.
  ///   - frameCount: the real length; nil to believe the header.
  init?(
    _ stream: ByteReader, _ header: PCMHeader, frameCount: Int? = nil, warnings: [String] = []
  ) {
    guard let sample = header.sample, stream.seek(to: stream.offset + header.dataOffset) else {
      return nil
    }
    self.stream = stream
    self.header = header
    self.warnings = warnings
    start = stream.offset
    name = stream.name
    format = header.format
    decoder = SampleDecoder(
      sample, channelCount: header.channelCount, silencesNonFinite: false)
    let declared = header.dataByteCount.map { $0 / header.frameByteCount }
    self.frameCount =
      frameCount ?? declared
      ?? stream.byteCount.map { max($0 - stream.offset, 0) / header.frameByteCount }
    hasUnknownEnd = frameCount == nil && declared != nil
    bytes = .allocate(
      byteCount: WAVStreamSource.blockFrameCount * header.frameByteCount, alignment: 16)
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
    let place = stream.offset
    var byteCount = stream.readFully(bytes, wanted * header.frameByteCount)
    if !stream.holes.isEmpty { align(&byteCount, place) }
    guard byteCount >= 0, !stream.wasInterrupted else { throw stream.error }
    let count = byteCount / header.frameByteCount
    if count == 0, position == 0, self.frameCount != nil {
      throw Failure(.truncated, name, "the stream ends right after its header, without any sound")
    }
    if count < wanted, self.frameCount != nil, warnings.isEmpty {
      warnings.append("truncated: the stream ended before its header said")
    }
    if byteCount % header.frameByteCount != 0, warnings.isEmpty {
      warnings.append("truncated: the stream ended within a frame")
    }
    decoder.decode(
      bytes, frameCount: count, into: channels, width: format.channelCount, offset: 0)
    position += count
    return count
  }

  /// Removes frames that a hole cuts: a frame begins behind it.
  ///
  /// - Parameters:
  ///   - byteCount: the bytes that were read.
  ///   - place: the offset of the first.
  private func align(_ byteCount: inout Int, _ place: Int) {
    for hole in stream.holes.reversed() where hole > place && hole < place + byteCount {
      let after = hole - place
      let cut = after % header.frameByteCount
      guard cut > 0 else { continue }
      (bytes + after - cut).copyMemory(from: bytes + after, byteCount: byteCount - after)
      byteCount -= cut
    }
    let missing = byteCount % header.frameByteCount
    guard missing > 0 else { return }
    byteCount += max(stream.readFully(bytes + byteCount, header.frameByteCount - missing), 0)
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
      let place = start + target * header.frameByteCount
      guard stream.seek(to: place) else { throw stream.error }
      position = target
      return
    }
    try skip(to: frame, from: position)
  }

  func interrupt() { stream.interrupt() }
}

extension PCMHeader {
  /// The samples of WAV, if no library is needed to decode them.
  fileprivate var sample: StoredSample? {
    guard isRIFF, !isBig, hasKnownCoding, codec == "PCM", (100...3_072_000).contains(sampleRate)
    else { return nil }
    let sample: StoredSample? =
      switch (isFloat, bitsPerSample) {
      case (false, 8): .uint8
      case (false, 16): .int16
      case (false, 24): .int24Packed
      case (false, 32): .int32
      case (true, 32): .float32
      case (true, 64): .float64
      default: nil
      }
    return sample.flatMap { frameByteCount == channelCount * $0.byteCount ? $0 : nil }
  }
}
