/// The last frames of a FLAC stream, and the length to write into its header (RFC 9639).
struct FLACTail {
  let sampleRate: Double
  /// The frames up to the end of the last complete frame.
  let frameCount: Int
  /// The frames up to the end of the last frame header. They are more if that frame is cut off, or
  /// if unknown bytes follow it.
  let begunCount: Int
  /// The offset after the last complete frame.
  let byteCount: Int
  /// The kind of another sound behind the last frame; nil if there is none.
  let following: String?
  private let header: FLACHeader

  /// nil if this is not a FLAC stream, or has no complete frame.
  init?(_ file: FileBytes) {
    guard let header = try? FLACHeader(HeaderBytes(file)) else { return nil }
    // Large enough for several frames with the most channels and bits.
    let window = max(header.audioOffset, file.count - (8 << 20))
    let bytes = file.bytes(at: window, file.count - window)
    var later: Int?
    var begun: Int?
    var following: String?
    var found: (end: Int, count: Int)?
    for offset in stride(from: bytes.count - 6, through: 0, by: -1)
    where bytes[offset] == 0xff && bytes[offset + 1] & 0xfe == 0xf8 {
      guard
        let frame = bytes[offset...].withUnsafeBufferPointer({ FLACFrameHeader($0) })
      else { continue }
      let count = frame.start(in: header.info) + frame.sampleCount
      begun = begun ?? count
      let limit = later ?? bytes.count - FLACTail.tagByteCount(bytes[offset...])
      if CyclicSum.flacFrame(bytes[offset..<limit]) == 0 {
        found = (window + limit, count)
        break
      }
      if later == nil {
        following = FLACTail.following(bytes[offset...], head: frame.byteCount)
      }
      later = offset
    }
    guard let found, let begun else { return nil }
    sampleRate = Double(header.info.sampleRate)
    frameCount = found.count
    begunCount = begun
    byteCount = found.end
    self.following = following
    self.header = header
  }

  /// The header with the length of all complete frames.
  var patch: FilePatch { header.patch(frameCount: frameCount) }

  /// The kind of a sound that begins where a frame may end: where its checksum is right.
  private static func following(_ bytes: ArraySlice<UInt8>, head: Int) -> String? {
    var sum: UInt32 = 0
    for place in bytes.indices.prefix(1 << 20) {
      if sum == 0, place - bytes.startIndex > head + 2,
        case .sound(let name) = TrailingBytes(Array(bytes[place...].prefix(1 << 12)))
      {
        return name
      }
      sum = CyclicSum.flacFrame.continued(sum, CollectionOfOne(bytes[place]))
    }
    return nil
  }

  /// The size in bytes of a tag or of zeros at the end, which are not part of the last frame.
  private static func tagByteCount(_ bytes: ArraySlice<UInt8>) -> Int {
    let tags = AppendedTag.byteCount(atEndOf: bytes)
    guard tags == 0 else { return tags }
    let zeros = bytes.reversed().prefix { $0 == 0 }.count
    // The checksum of a frame may end with a zero.
    return zeros > 8 ? zeros : 0
  }
}
