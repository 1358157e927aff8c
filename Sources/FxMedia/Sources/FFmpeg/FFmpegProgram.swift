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

  /// Decodes the bytes of a reader.
  ///
  /// - Parameters:
  ///   - demuxer: ffmpeg's name of the format, so that it tries no other format.
  ///   - description: the kind of file, for messages: `an MP4 file`.
  convenience init(
    _ reader: ByteReader, demuxer: String, description: String
  ) throws(Failure) {
    let program = try FFmpegProgram.path(for: reader.name, description)
    var options = ["-loglevel", "error", "-protocol_whitelist", "file,pipe", "-f", demuxer]
    if let file = reader.file, file.isWhole {
      // This path works for a file with any name, even a deleted one.
      let place = "file:/proc/\(getpid())/fd/\(file.descriptor)"
      try self.init(program, options, place, name: reader.name, nil)
      return
    }
    // A stream whose header comes first needs no further look, for which ffmpeg would read 5 MB.
    if demuxer == "mov" { options += ["-probesize", "65536", "-analyzeduration", "0"] }
    try self.init(program, options, "pipe:0", name: reader.name, reader)
  }

  /// Reads an HLS playlist and its segments.
  ///
  /// - Parameters:
  ///   - place: a path or an address. A list from a server cannot name files of this machine.
  ///   - options: more options for reading.
  convenience init(
    hls place: String, isLocal: Bool, name: String, options: [String]
  ) throws(Failure) {
    let network = "http,https,httpproxy,tcp,tls,crypto"
    try self.init(
      try FFmpegProgram.path(for: name, "an HLS playlist"),
      // Segments that are left out are only a warning.
      [
        "-loglevel", "warning", "-protocol_whitelist", isLocal ? "file,\(network)" : network, "-f",
        "hls",
      ] + options, isLocal ? "file:\(place)" : place, name: name, nil)
  }

  /// - Parameter reader: the bytes for a pipe; nil if ffmpeg reads the place itself.
  private init(
    _ program: String, _ options: [String], _ place: String, name: String, _ reader: ByteReader?
  ) throws(Failure) {
    var pipes: [Int32] = []
    defer { for descriptor in pipes { close(descriptor) } }
    // A large pipe needs few context switches.
    let output = try FFmpegProgram.makePipe(name, byteCount: 1 << 18)
    pipes.append(output.write)
    var input: (read: Int32, write: Int32)?
    if reader != nil {
      // A small one fetches little ahead from a server.
      let pipe = try FFmpegProgram.makePipe(name, byteCount: 1 << 15)
      pipes.append(pipe.read)
      input = pipe
    }
    do {
      messages = try UnnamedFile()
      process = try ChildProcess(
        executable: program,
        arguments: ["-nostdin", "-hide_banner"] + options + [
          "-i", place, "-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1",
          "-flags", "+bitexact", "-fflags", "+bitexact", "-threads", "1", "-c:a", "pcm_f32le", "-f",
          "wav", "pipe:1",
        ],
        streams: fx_process_streams(
          input: input?.read ?? -1, output: output.write, errors: messages.descriptor, channel: -1))
    } catch {
      close(output.read)
      if let input { close(input.write) }
      throw Failure(.unreadable, name, "ffmpeg cannot be started: \(error.message)")
    }
    self.output = output.read
    if let reader, let input {
      pump = try BytePump(reader, to: input.write)
    } else {
      pump = nil
    }
    sound = ByteReader(stream(descriptor: output.read, name: name, isOwner: true))
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
    lines(last: 4096).last
  }

  /// What ffmpeg reports about segments of an HLS playlist that it leaves out. It may try one again.
  var losses: [String] {
    let words = [
      "Failed to open segment", "Failed to open init", "expired from playlists",
      "failed too many times",
    ]
    return lines(last: 1 << 20).reduce(into: []) { losses, line in
      if words.contains(where: { line.contains($0) }), !losses.contains(line) {
        losses.append(line)
      }
    }
  }

  private func lines(last count: Int) -> [String] {
    messages.text(last: count).split(separator: "\n").map { line in
      // Removes the prefix with a decoder's memory address.
      line.first == "[" ? String(line.drop { $0 != "]" }.dropFirst(2)) : String(line)
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

  /// The program, or an error that names the file that needs it.
  private static func path(for name: String, _ description: String) throws(Failure) -> String {
    guard let program = path() else {
      throw Failure(
        .unsupportedFormat, name,
        "this is \(description), which fxrun reads with the program ffmpeg; install it (on Debian: "
          + "apt install ffmpeg), or convert the file elsewhere")
    }
    return program
  }

  /// The program in `PATH`; nil if it is missing.
  private static func path() -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/ffmpeg" }.first { access($0, X_OK) == 0 }
  }

  private static func makePipe(
    _ name: String, byteCount: Int32
  ) throws(Failure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let code = fx_process_pipe(&ends, byteCount)
    guard code == 0 else { throw .reading(name, errno: code) }
    return (ends[0], ends[1])
  }
}
