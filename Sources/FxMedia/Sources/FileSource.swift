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
    try open(byteStream(path, monitor), isReadTwice: isReadTwice)
  }

  /// The bytes of a file, an address or standard input, `-`.
  static func byteStream(
    _ path: String, _ monitor: OpeningMonitor? = nil
  ) throws(IOError) -> any ByteStream {
    guard path != "-" else {
      guard isatty(STDIN_FILENO) == 0 else {
        throw IOError(
          .unreadable, "standard input",
          "this is a terminal; pipe audio into it or name a file instead of -")
      }
      return stream(
        descriptor: STDIN_FILENO, name: "standard input", isOwner: false, monitor)
    }
    if let address = HTTPAddress(path) { return try HTTPStream(address, StreamSettings(), monitor) }
    guard !path.utf8.contains(0) else {
      throw IOError(.notFound, path, "a file name cannot hold a zero byte")
    }
    return try openStream(path: path, monitor)
  }

  /// All bytes of a file that is no sound.
  ///
  /// - Throws: `outOfRange` where it has more than the limit.
  package static func bytes(_ path: String, limit: Int) throws(IOError) -> [UInt8] {
    let reader = ByteReader(try byteStream(path))
    let bytes = try reader.peek(limit + 1)
    guard bytes.count <= limit else {
      throw IOError(.outOfRange, path, "has more than \(limit >> 20) MB; take a smaller one")
    }
    return bytes
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
    return try open(reader, try DecoderCatalogue.kind(of: reader))
  }

  /// Opens a sound of a kind; a pipe of one that must seek is copied to a file first.
  static func open(
    _ reader: ByteReader, _ kind: DecoderKind
  ) throws(IOError) -> any AudioSource {
    guard kind.need == .seekable, !reader.isSeekable else { return try kind.open(reader) }
    let (file, warning) = try Spool.toFile(reader)
    let source = try kind.open(file)
    return warning.map { WarnedSource(source, warning: $0) } ?? source
  }

  /// Opens bytes that are pushed. What another program decodes is collected first.
  static func open(pushed bytes: PushedBytes, hint: String?) throws(IOError) -> any AudioSource {
    let reader = ByteReader(bytes)
    let kind = try DecoderCatalogue.kind(of: reader, hint: hint)
    return try kind.isForeign ? kind.open(Spool.toFile(reader).file) : open(reader, kind)
  }
}

/// WAV: as it comes from a pipe, by libsndfile where its header or its coding is out of the ordinary.
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
    if let correction = SizeCorrection(reader) {
      if correction.isTooLong { return try openLong(reader, correction) }
    } else if let source = openPlain(reader) {
      return source
    }
    do throws(IOError) {
      return try SoundFileSource(reader)
    } catch  where error.code == .unsupportedFormat || error.code == .damaged {
      // WAV around MPEG audio: the decoder skips the wrapping.
      guard reader.seek(to: 0), let wrapped = try? MPEGSource(reader) else { throw error }
      return wrapped
    }
  }

  /// Plain samples, all that the header says: they need no library. nil for another file.
  private static func openPlain(_ reader: ByteReader) -> WAVStreamSource? {
    guard let file = reader.file, file.text(0) == "RIFF", let layout = SoundLayout(file),
      case .bytes(let size) = layout.declared, size >= layout.frameByteCount,
      size <= file.count - layout.dataOffset, reader.seek(to: 0)
    else { return nil }
    let frameCount = size / layout.frameByteCount
    return (try? WAVStreamHeader(reader, wholeFrameCount: frameCount)).map {
      WAVStreamSource(reader, $0)
    }
  }

  /// More than 4 GB behind a header that can say no more than that.
  private static func openLong(
    _ reader: ByteReader, _ correction: SizeCorrection
  ) throws(IOError) -> any AudioSource {
    guard reader.seek(to: 0),
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
