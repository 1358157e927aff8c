import Glibc

/// Opens audio files and standard input for reading, judging them by their content.
package enum FileSource {
  /// Opens a file: MPEG audio through libmpg123, everything else through libsndfile. `-` is
  /// standard input.
  package static func open(_ path: String) throws(IOError) -> any AudioSource {
    if path == "-" { return try openStandardInput() }
    guard !path.utf8.contains(0) else {
      throw IOError(.notFound, path, "a file name cannot hold a zero byte")
    }
    return try open(try ByteStream(path: path))
  }

  /// Standard input: streamed when it is WAV or MPEG audio, otherwise read to its end first.
  package static func openStandardInput() throws(IOError) -> any AudioSource {
    guard isatty(STDIN_FILENO) == 0 else {
      throw IOError(
        .unreadable, "standard input",
        "this is a terminal; pipe audio into it or name a file instead of -")
    }
    return try open(
      ByteStream(descriptor: STDIN_FILENO, name: "standard input", isOwner: false))
  }

  /// Opens what a descriptor leads to, a pipe for one; the descriptor stays open afterwards.
  package static func open(descriptor: Int32, name: String) throws(IOError) -> any AudioSource {
    try open(ByteStream(descriptor: descriptor, name: name, isOwner: false))
  }

  private static func open(_ stream: ByteStream) throws(IOError) -> any AudioSource {
    let start = try stream.peek(Content.probeLength)
    guard !start.isEmpty else {
      throw IOError(.empty, stream.name, "the file is empty (0 bytes)")
    }
    switch try content(of: stream, start) {
    case .mpeg:
      return try MPEGSource(stream)
    case .wav where !stream.isSeekable:
      if let header = try WAVStreamHeader(stream) { return WAVStreamSource(stream, header) }
      return try SoundFileSource(try Spool.toFile(stream))
    case .wav where FileBytes(stream.descriptor).map(SoundLayout.hasEndlessHeader) == true:
      throw IOError(
        .damaged, stream.name,
        "no sound behind the first \(SoundLayout.chunkLimit) parts of its header: no 'data' chunk")
    case .wav where SizeCorrection(stream)?.isTooLong == true:
      return try openLong(stream)
    case .wav:
      do throws(IOError) {
        return try SoundFileSource(stream)
      } catch  where error.code == .unsupportedFormat || error.code == .damaged {
        // WAV around MPEG audio: the decoder skips the wrapping.
        guard stream.seek(0, SEEK_SET) == 0, let wrapped = try? MPEGSource(stream) else {
          throw error
        }
        return wrapped
      }
    case .known:
      return try SoundFileSource(stream.isSeekable ? stream : try Spool.toFile(stream))
    case .foreign(let kind):
      throw IOError(
        .unsupportedFormat, stream.name,
        "this is \(kind), which fxrun does not read; convert it first, "
          + "for example with: ffmpeg -i IN OUT.wav")
    case .unknown:
      return try openUnknown(stream)
    }
  }

  /// More than 4 GB behind a header that can say no more than that.
  private static func openLong(_ stream: ByteStream) throws(IOError) -> any AudioSource {
    guard let correction = SizeCorrection(stream), stream.seek(0, SEEK_SET) == 0,
      let header = try WAVStreamHeader(stream, wholeFrameCount: correction.frameCount)
    else { return try SoundFileSource(stream) }
    return WAVStreamSource(stream, header, warnings: [correction.warning])
  }

  /// An ID3 tag says nothing about what follows it.
  private static func content(
    of stream: ByteStream, _ start: [UInt8]
  ) throws(IOError) -> Content {
    let content = Content(start)
    let tag = Content.tagLength(start)
    guard content == .mpeg, tag > 0, stream.isSeekable, stream.seek(tag, SEEK_SET) == tag else {
      return content
    }
    let after = Content(try stream.peek(Content.probeLength))
    guard stream.seek(0, SEEK_SET) == 0 else { throw stream.error }
    if case .known = after { return after }
    return content
  }

  /// Formats without a signature worth the name, and MPEG audio behind something else.
  private static func openUnknown(_ stream: ByteStream) throws(IOError) -> any AudioSource {
    let file = stream.isSeekable ? stream : try Spool.toFile(stream)
    do throws(IOError) {
      return try SoundFileSource(file)
    } catch  where error.code == .notAudio {
      guard file.seek(0, SEEK_SET) == 0, let source = try? MPEGSource(file) else { throw error }
      return source
    }
  }
}

/// Reads a pipe to its end into a nameless file, for formats whose reading goes back and forth.
enum Spool {
  static func toFile(_ stream: ByteStream) throws(IOError) -> ByteStream {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/fxrun-XXXXXX".utf8CString)
    let descriptor = template.withUnsafeMutableBufferPointer { buffer -> Int32 in
      guard let start = buffer.baseAddress else { return -1 }
      let descriptor = mkstemp(start)
      guard descriptor >= 0 else { return -1 }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      unlink(start)
      return descriptor
    }
    guard descriptor >= 0 else { throw .writing(folder, errno: errno) }
    let file = ByteDrain(descriptor: descriptor, name: folder, isOwner: false)
    do throws(IOError) {
      let chunk = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
      defer { chunk.deallocate() }
      while true {
        let got = stream.read(chunk, 1 << 16)
        if got < 0 { throw stream.error }
        if got == 0 { break }
        guard file.write(chunk, got) == got else { throw file.error }
      }
      guard file.flush() else { throw file.error }
    } catch {
      close(descriptor)
      throw error
    }
    lseek(descriptor, 0, SEEK_SET)
    return ByteStream(descriptor: descriptor, name: stream.name, isOwner: true)
  }
}
