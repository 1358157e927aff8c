import FxAudio

/// The last complete page of a truncated Ogg stream (RFC 3533).
struct OggTail {
  let sampleRate: Double
  let frameCount: Int
  /// The offset after the last complete page.
  let byteCount: Int
  /// Marks this page as the last one of the stream.
  let patch: FilePatch

  /// nil if this is not a stream of a known codec, or has no sound.
  init?(_ file: FileBytes) {
    let packet = file.bytes(at: 0, OggPage.largest).withUnsafeBufferPointer { bytes in
      OggPage(bytes)?.pieces(bytes).first
    }
    guard let codec = packet.flatMap({ OggCodecs.codec(of: $0) }) else { return nil }
    // Several of the longest pages.
    let window = max(0, file.count - (1 << 18))
    let bytes = file.bytes(at: window, file.count - window)
    let last = bytes.withUnsafeBufferPointer { bytes in
      var last = OggPage.last(in: bytes, before: bytes.count)
      while let (page, offset) = last, page.granule <= codec.skippedCount {
        last = OggPage.last(in: bytes, before: offset)
      }
      return last
    }
    guard let (found, offset) = last else { return nil }
    var page = Array(bytes[offset..<offset + found.byteCount])
    OggPage.change(&page, isLast: true)
    sampleRate = codec.format.sampleRate
    frameCount = found.granule - codec.skippedCount
    byteCount = window + offset + found.byteCount
    patch = FilePatch(window + offset, Array(page[..<found.headByteCount]))
  }
}
