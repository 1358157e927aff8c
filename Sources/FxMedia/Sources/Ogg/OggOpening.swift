import FxAudio

/// Opens Ogg: each link by the codec of its first packet.
enum OggOpening {
  @Sendable
  static func open(_ reader: ByteReader) throws(Failure) -> any AudioSource {
    try JoinedSource.open(reader, OggBoundary.self, openLink)
  }

  /// Codecs by the beginning of their first packet.
  private static let codecs = [
    "\u{1}vorbis": "Vorbis", "OpusHead": "Opus", "\u{7f}FLAC": "FLAC", "Speex   ": "Speex",
    "CELT    ": "CELT", "PCM     ": "PCM", "OggMIDI": "MIDI", "fishead": "Skeleton",
  ]

  @Sendable
  private static func openLink(_ reader: ByteReader) throws(Failure) -> any AudioSource {
    let start = try reader.peek(OggPage.largestHead + 64)
    guard let page = start.withUnsafeBufferPointer({ OggPage(head: $0) }) else {
      throw Failure(.damaged, reader.name, "the header is damaged: no page of Ogg")
    }
    let packet = start.dropFirst(page.headByteCount)
    let codec = codecs.first { packet.starts(with: $0.key.utf8) }?.value
    // Another first page: several streams at the same time, which need a demultiplexer.
    let next = try reader.peek(at: page.byteCount, OggPage.largestHead)
      .withUnsafeBufferPointer { OggPage(head: $0) }
    guard next?.isFirst != true else {
      return try FFmpegSource(
        reader, demuxer: "ogg", description: "an Ogg file with several streams")
    }
    if codec == "Opus", let channelCount = packet.dropFirst(9).first,
      channelCount > OpusSource.mostChannels
    {
      return try FFmpegSource(
        reader, demuxer: "ogg", description: "an Opus file with \(channelCount) channels")
    }
    switch codec {
    case "Vorbis": return try VorbisSource.open(reader)
    case "Opus": return try OpusSource.open(reader)
    case "FLAC": return try FLACSource(reader, isOgg: true)
    default:
      let name = codec ?? "the unknown codec '\(printable(packet.prefix(8)))'"
      return try FFmpegSource(reader, demuxer: "ogg", description: "an Ogg file with \(name)")
    }
  }

  private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.map { (0x20..<0x7f).contains($0) ? $0 : 0x2e }, as: UTF8.self)
  }
}
