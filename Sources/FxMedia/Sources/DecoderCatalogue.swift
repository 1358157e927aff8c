import FxAudio

/// All kinds of sound files that fxrun reads, and known kinds that it refuses.
///
/// The kind with the highest score opens the file, and its error is reported.
enum DecoderCatalogue {
  static let kinds: [DecoderKind] = [
    .foreign(
      "AVI", .seekable, signatures: [Signature("RIFF").and("AVI ", at: 8)], demuxer: "avi",
      description: "an AVI video"),
    DecoderKind("WAV", .sequential, score: wavScore, WAVOpening.open)
      .walked(by: PCMWalker.walk).tagged(.wav),
    DecoderKind("FLAC", .sequential, signatures: [Signature("fLaC")], open: FLACSource.open)
      .walked { reader throws(Failure) in try FLACWalker(reader) }.tagged(.flac),
    DecoderKind("Ogg FLAC", .sequential, signatures: [ogg("\u{7f}FLAC")], open: OggOpening.open)
      .walked(by: OggWalker.walk).tagged(.oggFLAC),
    DecoderKind(
      "Ogg Vorbis", .sequential, signatures: [ogg("\u{1}vorbis")], open: OggOpening.open
    ).walked(by: OggWalker.walk).tagged(.vorbis),
    DecoderKind("Opus", .sequential, signatures: [ogg("OpusHead")], open: OggOpening.open)
      .walked(by: OggWalker.walk).tagged(.opus),
    DecoderKind(
      "Ogg", .sequential, score: { Signature("OggS").matches($0) ? 90 : 0 }, OggOpening.open),
    soundFile("AIFF", "FORM", demuxer: "aiff")
      .walked(by: PCMWalker.walk).tagged(.aiff),
    soundFile("CAF", "caff", demuxer: "caf")
      .walked(by: PCMWalker.walk),
    soundFile("AU", ".snd", "dns.", demuxer: "au").walked(by: PCMWalker.walk),
    soundFile("W64", "riff", demuxer: "w64")
      .walked(by: PCMWalker.walk),
    DecoderKind(
      "MP4", .seekable, isForeign: true,
      score: { Signature("ftyp", at: 4).matches($0) ? 100 : 0 }, openMP4
    ).walked { reader throws(Failure) in try MP4Walker(reader) }.tagged(.mp4),
    .foreign(
      "Matroska", .sequential, signatures: [Signature([0x1a, 0x45, 0xdf, 0xa3])],
      demuxer: "matroska", description: "a Matroska or WebM file"),
    .foreign(
      "WMA", .sequential, signatures: [Signature([0x30, 0x26, 0xb2, 0x75])], demuxer: "asf",
      description: "a WMA file"
    ).tagged(.asf),
    DecoderKind("AAC", .sequential, isForeign: true, score: aacScore) { reader throws(Failure) in
      try FFmpegSource(reader, demuxer: "aac", description: "an AAC file")
    }.walked { reader throws(Failure) in try AACWalker(reader) }.withTagInFront(),
    .foreign(
      "Monkey's Audio", .seekable, signatures: [Signature("MAC ")], demuxer: "ape",
      description: "a Monkey's Audio file"
    ).tagged(.ape),
    .foreign(
      "WavPack", .sequential, signatures: [Signature("wvpk")], demuxer: "wv",
      description: "a WavPack file"
    ).tagged(.wavPack),
    DecoderKind("MIDI", .sequential, signatures: [Signature("MThd")], open: refuse("a MIDI file")),
    DecoderKind("MPEG audio", .sequential, score: mpegScore) { reader throws(Failure) in
      try MPEGSource(reader)
    }.walked { reader throws(Failure) in try MPEGWalker(reader) }.tagged(.mpeg).withTagInFront(),
    // Formats without a reliable signature, and MPEG audio after unknown bytes.
    DecoderKind("unknown", .sequential, score: { _ in 1 }, UnknownOpening.open).withTagInFront(),
  ]

  /// The most likely kind for the first bytes.
  static func kind(of start: [UInt8]) -> DecoderKind? {
    var best: (kind: DecoderKind, score: Int)?
    for kind in kinds {
      let score = kind.score(start)
      if score > best?.score ?? 0 { best = (kind, score) }
    }
    return best?.kind
  }

  /// The kind of a reader's content; the position does not change. For a file with a tag, the bytes
  /// after the tag decide, if they can be read.
  ///
  /// - Parameter hint: a file name extension or a MIME type, if the bytes do not decide.
  static func kind(of reader: ByteReader, hint: String? = nil) throws(Failure) -> DecoderKind {
    var start = try reader.peek(DecoderKind.probeLength)
    guard !start.isEmpty else {
      throw Failure(.empty, reader.name, "the file is empty (0 bytes)")
    }
    let tag = ID3Tag.byteCount(start)
    let isNear = tag < 1 << 20 && (reader.isCostly || !reader.isSeekable)
    if tag > 0, isNear || reader.isSeekable {
      let after = try isNear ? reader.peek(at: tag, start.count) : peek(reader, at: tag)
      if let kind = kind(of: after), kind.score(after) >= 60 { start = after }
    }
    guard let kind = kind(of: start) else {
      throw Failure(.notAudio, reader.name, "no audio in it that fxrun can read")
    }
    guard kind.score(start) <= 1, let hint else { return kind }
    let name = hint.lowercased().split(separator: "/").last.map(String.init) ?? ""
    let hinted = [
      "mp3": "MPEG audio", "mp2": "MPEG audio", "mpeg": "MPEG audio", "mpa": "MPEG audio",
      "aac": "AAC", "aacp": "AAC",
    ][name]
    return kinds.first { $0.name == hinted } ?? kind
  }

  private static func peek(_ reader: ByteReader, at offset: Int) throws(Failure) -> [UInt8] {
    guard reader.seek(to: offset) else { return [] }
    let bytes = try reader.peek(DecoderKind.probeLength)
    guard reader.seek(to: 0) else { throw reader.error }
    return bytes
  }

  /// True if only the fallback accepts the first bytes.
  static func isUnknown(_ start: [UInt8]) -> Bool { kinds.allSatisfy { $0.score(start) <= 1 } }

  /// The first packet of an Ogg stream follows the header of its page.
  private static func ogg(_ packet: String) -> Signature { Signature("OggS").and(packet, at: 28) }

  private static func wavScore(_ start: [UInt8]) -> Int {
    ["RIFF", "RF64", "BW64", "RIFX"].contains { Signature($0).matches(start) } ? 90 : 0
  }

  private static func aacScore(_ start: [UInt8]) -> Int {
    if Signature("ADIF").matches(start) { return 100 }
    return ADTSHeader.mayBegin(start) ? 60 : 0
  }

  /// A tag or a frame header.
  private static func mpegScore(_ start: [UInt8]) -> Int {
    if Signature("ID3").matches(start) { return 50 }
    guard start.count >= 4 else { return 0 }
    return start.withUnsafeBufferPointer { $0.baseAddress.flatMap(MPEGHeader.init) } == nil ? 0 : 50
  }

  /// The header declares which frames are played.
  @Sendable
  private static func openMP4(_ reader: ByteReader) throws(Failure) -> any AudioSource {
    let walker = try? MP4Walker(reader)
    guard reader.seek(to: 0) else { throw reader.error }
    let length = walker?.properties.frameCount.flatMap { length in
      walker?.properties.sampleRate.map { (length.count, $0) }
    }
    // ffmpeg reads a file by itself.
    let isFile = reader.file?.isWhole == true
    return try FFmpegSource(
      reader, demuxer: "mov", description: "an MP4 file (AAC or ALAC)", length: length,
      excerpt: isFile ? nil : walker.flatMap { MP4Excerpt(reader, $0.movie, $0.track) })
  }

  /// A kind that libsndfile reads, and ffmpeg if its coding is unknown to the library.
  private static func soundFile(
    _ name: String, _ signatures: String..., demuxer: String
  ) -> DecoderKind {
    DecoderKind(name, .seekable, signatures: signatures.map { Signature($0) }) {
      reader throws(Failure) in
      try SoundFileSource.open(reader, demuxer: demuxer, container: name)
    }
  }

  private static func refuse(
    _ kind: String
  ) -> @Sendable (ByteReader) throws(Failure) -> any AudioSource {
    { reader throws(Failure) in
      throw Failure(
        .unsupportedFormat, reader.name,
        "this is \(kind), which holds notes and no sound; render it with a synthesizer first")
    }
  }
}
