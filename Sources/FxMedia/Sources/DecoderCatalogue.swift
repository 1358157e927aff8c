import FxFrames

/// Every kind of sound file that is read, and those that are known not to be.
///
/// The kind with the highest score opens the file; its error is the one that is reported.
enum DecoderCatalogue {
  static let kinds: [DecoderKind] = [
    DecoderKind(
      "AVI", .sequential, signatures: [Signature("RIFF").and("AVI ", at: 8)],
      open: refuse("an AVI video")),
    DecoderKind("WAV", .sequential, score: wavScore, WAVOpening.open),
    DecoderKind("FLAC", .sequential, signatures: [Signature("fLaC")]) { reader throws(IOError) in
      try FLACSource(reader)
    },
    DecoderKind("Ogg FLAC", .sequential, signatures: [ogg("\u{7f}FLAC")]) {
      reader throws(IOError) in try FLACSource(reader, isOgg: true)
    },
    DecoderKind(
      "Ogg Vorbis", .sequential, signatures: [ogg("\u{1}vorbis")], open: VorbisSource.open),
    DecoderKind("Opus", .sequential, signatures: [ogg("OpusHead")], open: OpusSource.open),
    DecoderKind("Ogg", .seekable, score: { Signature("OggS").matches($0) ? 90 : 0 }, openSoundFile),
    DecoderKind("AIFF", .seekable, signatures: [Signature("FORM")], open: openSoundFile),
    DecoderKind("CAF", .seekable, signatures: [Signature("caff")], open: openSoundFile),
    DecoderKind(
      "AU", .seekable, signatures: [Signature(".snd"), Signature("dns.")], open: openSoundFile),
    DecoderKind("W64", .seekable, signatures: [Signature("riff")], open: openSoundFile),
    DecoderKind(
      "MP4", .sequential, signatures: [Signature("ftyp", at: 4)],
      open: refuse("an MP4 file (AAC or ALAC)")),
    DecoderKind(
      "Matroska", .sequential, signatures: [Signature([0x1a, 0x45, 0xdf, 0xa3])],
      open: refuse("a Matroska or WebM file")),
    DecoderKind(
      "WMA", .sequential, signatures: [Signature([0x30, 0x26, 0xb2, 0x75])],
      open: refuse("a WMA file")),
    DecoderKind("AAC", .sequential, score: aacScore, refuse("an AAC file")),
    DecoderKind(
      "Monkey's Audio", .sequential, signatures: [Signature("MAC ")],
      open: refuse("a Monkey's Audio file")),
    DecoderKind(
      "WavPack", .sequential, signatures: [Signature("wvpk")], open: refuse("a WavPack file")),
    DecoderKind("MIDI", .sequential, signatures: [Signature("MThd")], open: refuse("a MIDI file")),
    DecoderKind("MPEG audio", .sequential, score: mpegScore) { reader throws(IOError) in
      try MPEGSource(reader)
    },
    // Formats without a signature worth the name, and MPEG audio behind something else.
    DecoderKind("unknown", .sequential, score: { _ in 1 }, UnknownOpening.open),
  ]

  /// The kind that the first bytes are most likely of.
  static func kind(of start: [UInt8]) -> DecoderKind? {
    var best: (kind: DecoderKind, score: Int)?
    for kind in kinds {
      let score = kind.score(start)
      if score > best?.score ?? 0 { best = (kind, score) }
    }
    return best?.kind
  }

  /// True where nothing but the last resort knows the first bytes.
  static func isUnknown(_ start: [UInt8]) -> Bool { kinds.allSatisfy { $0.score(start) <= 1 } }

  /// The first packet of an Ogg stream stands behind the header of its page.
  private static func ogg(_ packet: String) -> Signature { Signature("OggS").and(packet, at: 28) }

  private static func wavScore(_ start: [UInt8]) -> Int {
    ["RIFF", "RF64", "RIFX"].contains { Signature($0).matches(start) } ? 90 : 0
  }

  private static func aacScore(_ start: [UInt8]) -> Int {
    if Signature("ADIF").matches(start) { return 100 }
    return start.count >= 4 && start[0] == 0xff && start[1] & 0xf6 == 0xf0 && start[2] & 0x3c < 0x34
      ? 60 : 0
  }

  /// A tag, or a frame header.
  private static func mpegScore(_ start: [UInt8]) -> Int {
    if Signature("ID3").matches(start) { return 50 }
    guard start.count >= 4 else { return 0 }
    return start.withUnsafeBufferPointer { $0.baseAddress.flatMap(MPEGHeader.init) } == nil ? 0 : 50
  }

  @Sendable
  private static func openSoundFile(_ reader: ByteReader) throws(IOError) -> any AudioSource {
    try SoundFileSource(reader)
  }

  private static func refuse(
    _ kind: String
  ) -> @Sendable (ByteReader) throws(IOError) -> any AudioSource {
    { reader throws(IOError) in
      throw IOError(
        .unsupportedFormat, reader.name,
        "this is \(kind), which fxrun does not read; convert it first, "
          + "for example with: ffmpeg -i IN OUT.wav")
    }
  }
}
