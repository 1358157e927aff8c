import CRealtime
import FxFrames
import FxProcesses
import Glibc

/// A run of the program `ffmpeg`, which decodes what fxrun itself does not: the sound comes through a
/// pipe. It is found when it is needed and never linked.
final class FFmpegProgram {
  /// The sound as WAV with 32-bit floats.
  let sound: ByteReader
  private let process: ChildProcess
  private let messages: UnnamedFile
  private let pump: BytePump?
  private let output: Int32

  /// - Parameters:
  ///   - demuxer: ffmpeg's name of the format, so that it tries no other.
  ///   - description: what the file is, for messages: `an MP4 file`.
  init(_ reader: ByteReader, demuxer: String, description: String) throws(IOError) {
    guard let program = FFmpegProgram.path() else {
      throw IOError(
        .unsupportedFormat, reader.name,
        "this is \(description), which fxrun reads with the program ffmpeg; install it (on Debian: "
          + "apt install ffmpeg), or convert the file elsewhere")
    }
    var pipes: [Int32] = []
    defer { for descriptor in pipes { close(descriptor) } }
    let output = try FFmpegProgram.makePipe(reader)
    pipes.append(output.write)
    let place: String
    var input: (read: Int32, write: Int32)?
    if let file = reader.file {
      // The same file under any name, even one that has been removed.
      place = "file:/proc/\(getpid())/fd/\(file.descriptor)"
    } else {
      let pipe = try FFmpegProgram.makePipe(reader)
      pipes.append(pipe.read)
      input = pipe
      place = "pipe:0"
    }
    do {
      messages = try UnnamedFile()
      process = try ChildProcess(
        executable: program,
        arguments: [
          "-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file,pipe",
          "-f", demuxer, "-i", place, "-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1",
          "-flags", "+bitexact", "-fflags", "+bitexact", "-threads", "1", "-c:a", "pcm_f32le", "-f",
          "wav", "pipe:1",
        ], input: input?.read ?? -1, output: output.write, errors: messages.descriptor)
    } catch {
      close(output.read)
      if let input { close(input.write) }
      throw IOError(.unreadable, reader.name, "ffmpeg cannot be started: \(error.message)")
    }
    self.output = output.read
    pump = try input.map { pipe throws(IOError) in try BytePump(reader, to: pipe.write) }
    sound = ByteReader(stream(descriptor: output.read, name: reader.name, isOwner: true))
  }

  deinit {
    sound.interrupt()
    _ = process.kill()
    pump?.stop()
  }

  /// What ffmpeg said, shortened to its last line; nil where it said nothing.
  var complaint: String? {
    let lines = messages.text(last: 4096).split(separator: "\n").map(String.init)
    return lines.last { !$0.isEmpty }.map { line in
      // Without the address of a decoder in memory.
      line.first == "[" ? String(line.drop { $0 != "]" }.dropFirst(2)) : line
    }
  }

  /// How it ended; waits for a moment.
  var hasFailed: Bool {
    switch process.wait(seconds: 2) {
    case .status(0), nil: pump?.hasFailed ?? false
    default: true
    }
  }

  /// The program on the path; nil where there is none.
  private static func path() -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/ffmpeg" }.first { access($0, X_OK) == 0 }
  }

  private static func makePipe(
    _ reader: ByteReader
  ) throws(IOError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let code = fx_process_pipe(&ends)
    guard code == 0 else { throw .reading(reader.name, errno: code) }
    return (ends[0], ends[1])
  }
}
