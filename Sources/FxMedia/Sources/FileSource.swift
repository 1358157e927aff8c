package import FxAudio
import Glibc

/// Opens audio files and standard input. The content decides the format.
package enum FileSource {
  /// Opens a file; its name does not matter. `-` is standard input.
  package static func open(_ path: String) throws(Failure) -> any AudioSource {
    try open(path, nil)
  }

  /// Opens a file or standard input, `-`.
  ///
  /// - Parameters:
  ///   - monitor: records the progress of opening.
  ///   - isReadTwice: a pipe is copied to an unnamed file first, so that it can seek back.
  package static func open(
    _ path: String, _ monitor: OpeningMonitor?, isReadTwice: Bool = false
  ) throws(Failure) -> any AudioSource {
    try open(byteStream(path, monitor), isReadTwice: isReadTwice)
  }

  /// The byte stream of a file, an HTTP address or standard input, `-`.
  static func byteStream(
    _ path: String, _ monitor: OpeningMonitor? = nil
  ) throws(Failure) -> any ByteStream {
    guard path != "-" else {
      guard isatty(STDIN_FILENO) == 0 else {
        throw Failure(
          .unreadable, "standard input",
          "this is a terminal; pipe audio into it or name a file instead of -")
      }
      return stream(
        descriptor: STDIN_FILENO, name: "standard input", isOwner: false, monitor)
    }
    if let address = HTTPAddress(path) { return try HTTPStream(address, StreamSettings(), monitor) }
    guard !path.utf8.contains(0) else {
      throw Failure(.notFound, path, "a file name cannot hold a zero byte")
    }
    return try openStream(path: path, monitor)
  }

  /// Opens a file, an address or a playlist within limits: a pipe without a writer, or a drive that
  /// does not answer, is an error.
  ///
  /// - Parameter raw: the format of a file without a header.
  package static func open(
    _ path: String, raw: RawFormat? = nil, within limits: OpeningLimits
  ) throws(Failure) -> any AudioSource {
    let monitor = OpeningMonitor()
    return try limits.call(monitor) { () throws(Failure) in
      try open(path, raw: raw, monitor, StreamSettings())
    } givingUp: {
      limits.failure(path, $0, monitor)
    }
  }

  /// Opens a descriptor, such as a pipe. The descriptor stays open afterwards.
  package static func open(descriptor: Int32, name: String) throws(Failure) -> any AudioSource {
    try open(stream(descriptor: descriptor, name: name, isOwner: false))
  }

  /// Opens the sound in a byte stream.
  static func open(
    _ stream: any ByteStream, isReadTwice: Bool = false
  ) throws(Failure) -> any AudioSource {
    try open(ByteReader(stream), isReadTwice: isReadTwice)
  }

  /// The same for a reader, including the bytes that it has buffered.
  static func open(
    _ reader: ByteReader, isReadTwice: Bool = false
  ) throws(Failure) -> any AudioSource {
    if isReadTwice, !reader.isSeekable || reader.isCostly {
      return try Spool.open(reader, warns: false) { (copy) throws(Failure) in
        try open(copy, try DecoderCatalogue.kind(of: copy))
      }
    }
    return try open(reader, try DecoderCatalogue.kind(of: reader))
  }

  /// Opens a sound of a known kind. If the kind needs seeking, a pipe is copied to a file first.
  static func open(
    _ opened: ByteReader, _ kind: DecoderKind
  ) throws(Failure) -> any AudioSource {
    var reader = opened
    if !kind.hasTagInFront, case let tag = ID3Tag.byteCount(try reader.peek(10)), tag > 0 {
      reader = ByteReader(
        reader.byteCount.map { SlicedStream(opened, tag..<max($0, tag)) }
          ?? RestStream(opened, after: tag))
    }
    guard kind.need == .seekable, !reader.isSeekable else { return try kind.open(reader) }
    return try Spool.open(reader, kind.open)
  }

  /// Opens pushed bytes. For a format that another program decodes, all bytes are collected first.
  static func open(pushed bytes: PushedBytes, hint: String?) throws(Failure) -> any AudioSource {
    let reader = ByteReader(bytes)
    let kind = try DecoderCatalogue.kind(of: reader, hint: hint)
    return try kind.isForeign
      ? Spool.open(reader, warns: false, kind.open) : open(reader, kind)
  }
}

/// Opens WAV: plain samples directly, also from a pipe; anything unusual with libsndfile.
enum WAVOpening {
  @Sendable
  static func open(_ reader: ByteReader) throws(Failure) -> any AudioSource {
    guard let file = reader.file else { return try openStream(reader) }
    let header: PCMHeader
    do throws(Failure) {
      header = try PCMHeader(HeaderBytes(file, name: reader.name))
    } catch {
      if error.code == .damaged { throw error }
      return try decode(reader, nil)
    }
    guard let layout = SoundLayout(header, file), !header.isBig else {
      return try decode(reader, header)
    }
    if let correction = SizeCorrection(layout, file) {
      guard correction.isTooLong else { return try decode(reader, header) }
      // The header of a file of more than 4 GB cannot declare so much.
      if let source = WAVStreamSource(
        reader, header, frameCount: correction.frameCount, warnings: [correction.warning])
      {
        return source
      }
      return try SoundFileSource(reader)
    }
    // Plain samples with a correct header need no library.
    if header.container == "WAV", let end = layout.declaredEnd,
      case let frameCount = (end - layout.dataOffset) / layout.frameByteCount, frameCount > 0
    {
      let trailing = TrailingBytes(file.bytes(at: end, TrailingBytes.wantedByteCount))
      if let source = WAVStreamSource(
        reader, header, frameCount: frameCount, warnings: trailing.warning.map { [$0] } ?? [])
      {
        return source
      }
    }
    return try decode(reader, header)
  }

  /// Opens a pipe, or the stream of a server.
  private static func openStream(_ reader: ByteReader) throws(Failure) -> any AudioSource {
    var header: PCMHeader?
    do throws(Failure) {
      header = try PCMHeader(HeaderBytes(peeking: reader))
    } catch {
      guard error.code == .headerAtEnd else { throw error }
    }
    if let source = header.flatMap({ WAVStreamSource(reader, $0) }) { return source }
    guard !reader.isSeekable else { return try decode(reader, header) }
    return try Spool.open(reader) { (copy) throws(Failure) in try open(copy) }
  }

  /// Opens any other coding: MPEG audio by its own decoder, codings that the library does not know
  /// by the program ffmpeg.
  private static func decode(
    _ reader: ByteReader, _ header: PCMHeader?
  ) throws(Failure) -> any AudioSource {
    if let header, header.codec == "MP3" || header.codec == "MP2" {
      let end = header.dataByteCount.map { header.dataOffset + $0 } ?? Int.max
      let range = header.dataOffset..<max(min(end, reader.byteCount ?? end), header.dataOffset)
      return try MPEGSource(ByteReader(SlicedStream(reader, range)))
    }
    return try SoundFileSource.open(reader, demuxer: "wav", container: "WAV")
  }
}

/// Opens bytes without a known signature.
enum UnknownOpening {
  /// The most bytes of a stream in which a sound is searched.
  private static let searchLimit = 8 << 20

  @Sendable
  static func open(_ reader: ByteReader) throws(Failure) -> any AudioSource {
    guard reader.isSeekable else {
      // MPEG audio that begins in the middle, as from a radio station, is streamed.
      let start = try reader.peek(MPEGFramer.searchLimit + (1 << 14))
      let copy = ByteReader(MemoryStream(start, name: reader.name))
      if MPEGFramer(copy).findFirst() != nil { return try MPEGSource(reader) }
      if let kind = strangeKind(start) { throw notAudio(reader, kind) }
      // A sound without a signature is short; bytes without an end would fill the disk.
      guard try reader.peek(searchLimit + 1).count <= searchLimit else {
        throw Failure(
          .notAudio, reader.name,
          "no audio in the first \(searchLimit >> 20) MB; this is no sound that fxrun can read")
      }
      return try Spool.open(reader) { (copy) throws(Failure) in try open(copy) }
    }
    do throws(Failure) {
      return try SoundFileSource(reader)
    } catch  where error.code == .notAudio {
      guard reader.seek(to: 0), let source = try? MPEGSource(reader) else {
        if reader.seek(to: 0), let start = try? reader.peek(512), let kind = strangeKind(start) {
          throw notAudio(reader, kind)
        }
        throw error
      }
      return source
    }
  }

  /// Names data that is often sent or opened in place of a sound; nil for anything else.
  private static func strangeKind(_ start: [UInt8]) -> String? {
    let archives: [(signature: [UInt8], name: String)] = [
      ([0x1f, 0x8b, 8], "gzip"), ([0x50, 0x4b, 3, 4], "zip"), ([0x42, 0x5a, 0x68], "bzip2"),
      ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "xz"), ([0x28, 0xb5, 0x2f, 0xfd], "zstd"),
    ]
    if let archive = archives.first(where: { start.starts(with: $0.signature) }) {
      return "compressed data (\(archive.name)); decompress it first"
    }
    let text = String(decoding: start.prefix(512), as: UTF8.self).lowercased()
    let page = text.drop { $0.isWhitespace || $0 == "\u{feff}" }
    return page.hasPrefix("<!doctype html") || page.hasPrefix("<html")
      ? "a web page; give the address of the sound itself" : nil
  }

  private static func notAudio(_ reader: ByteReader, _ kind: String) -> Failure {
    Failure(.notAudio, reader.name, "this is no sound but \(kind)")
  }
}
