/// The last complete frame of a truncated FLAC stream, and the length to write into its header (RFC
/// 9639).
struct FLACTail {
  let sampleRate: Double
  let frameCount: Int
  /// The offset after the last complete frame.
  let byteCount: Int
  let patch: FilePatch

  /// nil if this is not a FLAC stream with fixed blocks, or has no complete frame.
  init?(_ file: FileBytes) {
    // STREAMINFO is the first metadata block.
    let head = file.bytes(at: 0, 42)
    guard head.count == 42, file.text(0) == "fLaC", head[4] & 0x7f == 0 else { return nil }
    let block = Int(head[8]) << 8 | Int(head[9])
    let rate = Int(head[18]) << 12 | Int(head[19]) << 4 | Int(head[20]) >> 4
    guard block > 0, block == Int(head[10]) << 8 | Int(head[11]), rate > 0 else { return nil }
    let start = FLACTail.audioOffset(file)
    // Large enough for several frames with the most channels and bits.
    let window = max(start, file.count - (8 << 20))
    let bytes = file.bytes(at: window, file.count - window)
    var later: Int?
    var found: (end: Int, count: Int)?
    for offset in stride(from: bytes.count - 6, through: 0, by: -1)
    where bytes[offset] == 0xff && bytes[offset + 1] == 0xf8 {
      guard
        let frame = bytes[offset...].withUnsafeBufferPointer({ FLACFrameHeader($0) })
      else { continue }
      let end = later ?? bytes.count
      if CyclicSum.flacFrame(bytes[offset..<end]) == 0 {
        found = (window + end, frame.number * block + frame.sampleCount)
        break
      }
      later = offset
    }
    guard let found else { return nil }
    sampleRate = Double(rate)
    frameCount = found.count
    byteCount = found.end
    patch = FilePatch(
      21,
      [head[21] & 0xf0 | UInt8(truncatingIfNeeded: found.count >> 32 & 0xf)]
        + FilePatch.big(0, found.count, 4).bytes)
  }

  private static func audioOffset(_ file: FileBytes) -> Int {
    var offset = 4
    for _ in 0..<SoundLayout.chunkLimit {
      guard let kind = file.big(offset, 1), let size = file.big(offset + 1, 3) else { break }
      offset += 4 + size
      if kind & 0x80 != 0 { break }
    }
    return offset
  }
}
