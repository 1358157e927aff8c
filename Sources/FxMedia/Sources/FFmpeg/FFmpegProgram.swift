import CRealtime
import FxAudio
import Glibc

/// A process of the program `ffmpeg`. It decodes what fxrun itself cannot, and sends the sound
/// through a pipe. fxrun searches it when it is needed, and never links it.
final class FFmpegProgram {
  /// The decoded sound: WAV with 32-bit floats.
  let sound: ByteReader
  private let process: ChildProcess
  private let messages: UnnamedFile
  private let pump: BytePump?
  private let output: Int32

  /// - Parameters:
  ///   - demuxer: ffmpeg's name of the format, so that it tries no other format.
  ///   - description: the kind of file, for messages: `an MP4 file`.
  init(_ reader: ByteReader, demuxer: String, description: String) throws(Failure) {
    guard let program = FFmpegProgram.path() else {
      throw Failure(
        .unsupportedFormat, reader.name,
        "this is \(description), which fxrun reads with the program ffmpeg; install it (on Debian: "
          + "apt install ffmpeg), or convert the file elsewhere")
    }
    var pipes: [Int32] = []
    defer { for descriptor in pipes { close(descriptor) } }
    // A large pipe needs few context switches.
    let output = try FFmpegProgram.makePipe(reader, byteCount: 1 << 18)
    pipes.append(output.write)
    let place: String
    // A stream whose header comes first needs no further look, for which ffmpeg would read 5 MB.
    var probing: [String] = []
    var input: (read: Int32, write: Int32)?
    if let file = reader.file, file.isWhole {
      // This path works for a file with any name, even a deleted one.
      place = "file:/proc/\(getpid())/fd/\(file.descriptor)"
    } else {
      // A small one fetches little ahead from a server.
      let pipe = try FFmpegProgram.makePipe(reader, byteCount: 1 << 15)
      pipes.append(pipe.read)
      input = pipe
      place = "pipe:0"
      if demuxer == "mov" { probing = ["-probesize", "65536", "-analyzeduration", "0"] }
    }
    do {
      messages = try UnnamedFile()
      process = try ChildProcess(
        executable: program,
        arguments: [
          "-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file,pipe",
          "-f", demuxer,
        ] + probing + [
          "-i", place, "-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1",
          "-flags", "+bitexact", "-fflags", "+bitexact", "-threads", "1", "-c:a", "pcm_f32le", "-f",
          "wav", "pipe:1",
        ],
        streams: fx_process_streams(
          input: input?.read ?? -1, output: output.write, errors: messages.descriptor, channel: -1))
    } catch {
      close(output.read)
      if let input { close(input.write) }
      throw Failure(.unreadable, reader.name, "ffmpeg cannot be started: \(error.message)")
    }
    self.output = output.read
    pump = try input.map { pipe throws(Failure) in try BytePump(reader, to: pipe.write) }
    sound = ByteReader(stream(descriptor: output.read, name: reader.name, isOwner: true))
  }

  deinit { stop() }

  /// Ends the program and the copy of its input, so that the reader is free again.
  func stop() {
    sound.interrupt()
    _ = process.kill()
    pump?.stop()
  }

  /// The last line of ffmpeg's error output; nil if there is none.
  var complaint: String? {
    let lines = messages.text(last: 4096).split(separator: "\n").map(String.init)
    return lines.last { !$0.isEmpty }.map { line in
      // Removes the prefix with a decoder's memory address.
      line.first == "[" ? String(line.drop { $0 != "]" }.dropFirst(2)) : line
    }
  }

  /// True if ffmpeg or the copy of its input failed. Waits up to two seconds for the process.
  var hasFailed: Bool {
    switch process.wait(seconds: 2) {
    case .status(0), nil: pump?.hasFailed ?? false
    default: true
    }
  }

  /// The signal that ended the process, in words; nil if none did.
  var signal: String? {
    guard let end = process.wait(seconds: 2), case .signal = end else { return nil }
    return end.description
  }

  /// The program in `PATH`; nil if it is missing.
  private static func path() -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/ffmpeg" }.first { access($0, X_OK) == 0 }
  }

  private static func makePipe(
    _ reader: ByteReader, byteCount: Int32
  ) throws(Failure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let code = fx_process_pipe(&ends, byteCount)
    guard code == 0 else { throw .reading(reader.name, errno: code) }
    return (ends[0], ends[1])
  }
}
