package import FxFrames
import Glibc

/// Opens audio files and standard input for reading, judging them by their content.
package enum FileSource {
  /// Opens a file; its name decides nothing. `-` is standard input.
  package static func open(_ path: String) throws(IOError) -> any AudioSource {
    try open(path, nil)
  }

  /// Opens a file or standard input, `-`.
  ///
  /// - Parameters:
  ///   - monitor: records how far opening is.
  ///   - isReadTwice: a pipe is copied to a nameless file first, so that it can go back.
  package static func open(
    _ path: String, _ monitor: OpeningMonitor?, isReadTwice: Bool = false
  ) throws(IOError) -> any AudioSource {
    if path == "-" { return try openStandardInput(monitor, isReadTwice: isReadTwice) }
    guard !path.utf8.contains(0) else {
      throw IOError(.notFound, path, "a file name cannot hold a zero byte")
    }
    return try open(try openStream(path: path, monitor), isReadTwice: isReadTwice)
  }

  /// Standard input: streamed where the format allows it, otherwise read to its end first.
  private static func openStandardInput(
    _ monitor: OpeningMonitor?, isReadTwice: Bool
  ) throws(IOError) -> any AudioSource {
    guard isatty(STDIN_FILENO) == 0 else {
      throw IOError(
        .unreadable, "standard input",
        "this is a terminal; pipe audio into it or name a file instead of -")
    }
    return try open(
      stream(descriptor: STDIN_FILENO, name: "standard input", isOwner: false, monitor),
      isReadTwice: isReadTwice)
  }

  /// Opens what a descriptor leads to, a pipe for one; the descriptor stays open afterwards.
  package static func open(descriptor: Int32, name: String) throws(IOError) -> any AudioSource {
    try open(stream(descriptor: descriptor, name: name, isOwner: false))
  }

  /// Opens the sound that a stream of bytes holds.
  static func open(
    _ stream: any ByteStream, isReadTwice: Bool = false
  ) throws(IOError) -> any AudioSource {
    try open(ByteReader(stream), isReadTwice: isReadTwice)
  }

  /// The same, with what has been looked at of the stream.
  static func open(
    _ opened: ByteReader, isReadTwice: Bool = false
  ) throws(IOError) -> any AudioSource {
    var reader = opened
    if isReadTwice, !reader.isSeekable || reader.isCostly {
      reader = try Spool.toFile(reader).file
    }
    var start = try reader.peek(DecoderKind.probeLength)
    guard !start.isEmpty else {
      throw IOError(.empty, reader.name, "the file is empty (0 bytes)")
    }
    // A tag says nothing about what follows it, where that can be looked at.
    let tag = ID3Tag.byteCount(start)
    let isNear = tag < 1 << 20 && (reader.isCostly || !reader.isSeekable)
    if tag > 0, isNear || reader.isSeekable {
      let after = try !isNear ? peek(reader, at: tag) : reader.peek(at: tag, start.count)
      if let kind = DecoderCatalogue.kind(of: after), kind.score(after) == 100 { start = after }
    }
    guard let kind = DecoderCatalogue.kind(of: start) else {
      throw IOError(.notAudio, reader.name, "no audio in it that fxrun can read")
    }
    guard kind.need == .seekable, !reader.isSeekable else { return try kind.open(reader) }
    let (file, warning) = try Spool.toFile(reader)
    let source = try kind.open(file)
    return warning.map { WarnedSource(source, warning: $0) } ?? source
  }

  private static func peek(_ reader: ByteReader, at offset: Int) throws(IOError) -> [UInt8] {
    guard reader.seek(to: offset) else { return [] }
    let bytes = try reader.peek(DecoderKind.probeLength)
    guard reader.seek(to: 0) else { throw reader.error }
    return bytes
  }
}

/// The tag that may stand in front of a sound.
enum ID3Tag {
  /// Bytes that a tag at the start takes; 0 when there is none.
  static func byteCount(_ bytes: [UInt8]) -> Int {
    guard bytes.count >= 10, bytes.starts(with: Array("ID3".utf8)) else { return 0 }
    guard bytes[6...9].allSatisfy({ $0 < 0x80 }) else { return 0 }
    let size = bytes[6...9].reduce(0) { $0 << 7 | Int($1) }
    return 10 + size + (bytes[5] & 0x10 != 0 ? 10 : 0)
  }
}

/// WAV: as it comes from a pipe or where its header says too little, otherwise by libsndfile.
enum WAVOpening {
  @Sendable
  static func open(_ reader: ByteReader) throws(IOError) -> any AudioSource {
    guard reader.isSeekable else {
      if let header = try WAVStreamHeader(reader) { return WAVStreamSource(reader, header) }
      let (file, warning) = try Spool.toFile(reader)
      let source = try open(file)
      return warning.map { WarnedSource(source, warning: $0) } ?? source
    }
    guard reader.file.map(SoundLayout.hasEndlessHeader) != true else {
      throw IOError(
        .damaged, reader.name,
        "no sound behind the first \(SoundLayout.chunkLimit) parts of its header: no 'data' chunk")
    }
    if SizeCorrection(reader)?.isTooLong == true { return try openLong(reader) }
    do throws(IOError) {
      return try SoundFileSource(reader)
    } catch  where error.code == .unsupportedFormat || error.code == .damaged {
      // WAV around MPEG audio: the decoder skips the wrapping.
      guard reader.seek(to: 0), let wrapped = try? MPEGSource(reader) else { throw error }
      return wrapped
    }
  }

  /// More than 4 GB behind a header that can say no more than that.
  private static func openLong(_ reader: ByteReader) throws(IOError) -> any AudioSource {
    guard let correction = SizeCorrection(reader), reader.seek(to: 0),
      let header = try WAVStreamHeader(reader, wholeFrameCount: correction.frameCount)
    else { return try SoundFileSource(reader) }
    return WAVStreamSource(reader, header, warnings: [correction.warning])
  }
}

/// Bytes that no signature knows.
enum UnknownOpening {
  @Sendable
  static func open(_ reader: ByteReader) throws(IOError) -> any AudioSource {
    guard reader.isSeekable else {
      // MPEG audio from its middle, as a radio station sends it, is streamed.
      let start = try reader.peek(MPEGFramer.searchLimit + (1 << 14))
      let copy = ByteReader(MemoryStream(start, name: reader.name))
      if MPEGFramer(copy).findFirst() != nil { return try MPEGSource(reader) }
      let (file, warning) = try Spool.toFile(reader)
      let source = try open(file)
      return warning.map { WarnedSource(source, warning: $0) } ?? source
    }
    do throws(IOError) {
      return try SoundFileSource(reader)
    } catch  where error.code == .notAudio {
      guard reader.seek(to: 0), let source = try? MPEGSource(reader) else { throw error }
      return source
    }
  }
}
