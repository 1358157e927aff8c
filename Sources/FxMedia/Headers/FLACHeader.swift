import FxAudio

/// The marker and the metadata of a FLAC stream (RFC 9639, section 8).
struct FLACHeader {
  let info: FLACStreamInfo
  /// The offset of the first frame.
  let audioOffset: Int
  /// The offset of the block with the format.
  private let infoOffset: Int

  /// The marker, and the first block with its head.
  static let startByteCount = 8 + FLACStreamInfo.byteCount
  /// The marker, and the head of the first block.
  static let markByteCount = 8
  static let firstByte = Int32(mark[0])
  private static let mark = Array("fLaC".utf8)

  /// Reads up to the first frame.
  ///
  /// - Throws: `truncated` or `damaged` if the header is incomplete.
  init(_ bytes: HeaderBytes) throws(Failure) {
    guard try bytes.bytes(at: 0, 4) == FLACHeader.mark else {
      throw Failure(.damaged, bytes.name, "the header is damaged: no FLAC marker")
    }
    var found: (info: FLACStreamInfo, offset: Int)?
    var offset = 4
    var isLast = false
    var count = 0
    while !isLast, count < Chunks.limit {
      let head = try bytes.all(at: offset, 4)
      isLast = head[0] & 0x80 != 0
      if head[0] & 0x7f == 0 {
        let info = FLACStreamInfo(try bytes.bytes(at: offset + 4, FLACStreamInfo.byteCount))
        found = info.map { ($0, offset + 4) } ?? found
      }
      offset += 4 + head.big(1, 3)
      count += 1
    }
    guard let found, isLast else {
      throw Failure(.damaged, bytes.name, "the header is damaged: the format is missing")
    }
    info = found.info
    infoOffset = found.offset
    audioOffset = offset
  }

  /// The header of a stream whose other metadata are not needed; nil for other bytes.
  ///
  /// - Parameter start: its first `startByteCount` bytes.
  init?(start: [UInt8]) {
    guard start.count >= FLACHeader.startByteCount,
      start.withUnsafeBufferPointer({ FLACHeader.isMark($0) }),
      let info = FLACStreamInfo(start[8...])
    else { return nil }
    self.info = info
    infoOffset = 8
    audioOffset = 8 + FLACStreamInfo.byteCount
  }

  /// True if a stream begins at the first byte: with the marker and the format.
  static func isMark(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= markByteCount, bytes[0] == mark[0] else { return false }
    return bytes[..<4].elementsEqual(mark) && bytes[4] & 0x7f == 0
      && bytes.big(5, 3) == FLACStreamInfo.byteCount
  }

  /// The header with a different length; 0 for an unknown one.
  func patch(frameCount: Int) -> FilePatch {
    let high = UInt8(truncatingIfNeeded: (info.bitsPerSample - 1) << 4 | frameCount >> 32 & 0xf)
    return FilePatch(infoOffset + 13, [high] + FilePatch.big(0, frameCount, 4).bytes)
  }
}

/// The first block of a FLAC stream's metadata.
struct FLACStreamInfo: Equatable {
  let blockSizes: ClosedRange<Int>
  let sampleRate: Int
  let channelCount: Int
  let bitsPerSample: Int
  let bytes: [UInt8]
  /// 0 if the writer did not know it.
  let sampleCount: Int

  static let byteCount = 34

  /// nil if the bytes are not valid.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count >= FLACStreamInfo.byteCount else { return nil }
    let smallest = bytes.big(0, 2)
    let largest = bytes.big(2, 2)
    // 20 bits, 3, 5 and 36.
    let format = bytes.big(10, 8)
    sampleRate = format >> 44 & 0xf_ffff
    channelCount = format >> 41 & 7 + 1
    bitsPerSample = format >> 36 & 31 + 1
    sampleCount = format & 0xf_ffff_ffff
    self.bytes = Array(bytes.prefix(FLACStreamInfo.byteCount))
    guard smallest <= largest, largest > 0, sampleRate > 0 else { return nil }
    blockSizes = smallest...largest
  }

  var format: StreamFormat {
    StreamFormat(sampleRate: Double(sampleRate), layout: .flac(channelCount))
  }

  /// Frames of each block; nil if blocks differ.
  var constantBlockSize: Int? {
    blockSizes.lowerBound == blockSizes.upperBound ? blockSizes.upperBound : nil
  }
}
