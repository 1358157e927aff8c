package import FxAudio
package import FxFrames
package import FxGraph
import Glibc

/// Writes an audio file, complete or not at all; or a WAV stream into a pipe.
package final class FileSink: AudioSink {
  package let name: String
  package let format: StreamFormat
  package private(set) var statistics: SinkStatistics
  private let target: TargetFile?
  private let drain: ByteDrain
  private let encoder: any SampleEncoder
  private let refreshing: Refreshing?
  private var isComplete = false
  private let fileFormat: FileFormat
  /// The most frames that the format can say; nil for no limit.
  private let frameLimit: Int?

  /// Starts a file beside `path`, in the format that the end of the name says. A pipe or a device
  /// is written directly, as a WAV stream if need be.
  ///
  /// - Parameters:
  ///   - expectedFrameCount: lets a short WAV file have the plainest of headers.
  ///   - isRecording: what is written cannot be made again, and is handed to the disk every few seconds.
  ///   - wait: what to do while nobody reads a pipe.
  package static func create(
    _ path: String, format: StreamFormat, encoding: FileEncoding = FileEncoding(),
    expectedFrameCount: Int? = nil, isRecording: Bool = false, wait: PipeWait = PipeWait()
  ) throws(IOError) -> FileSink {
    let fileFormat = try FileFormat.writing(path)
    try check(format, fileFormat, encoding, path)
    let target = try TargetFile(path: path, isRecording: isRecording, wait: wait)
    let drain = ByteDrain(descriptor: target.descriptor, name: path, isOwner: false)
    let refreshing = target.isFile ? Refreshing(isSynced: isRecording) : nil
    return try FileSink(
      path, format, fileFormat, encoding, target, drain, refreshing, expectedFrameCount)
  }

  /// Keeps what killed processes have written of this file, under partial names that come back.
  package static func recover(_ path: String) -> [RecoveredFile] { TargetFile.recover(path) }

  /// Removes what killed processes have written of this file.
  package static func removeStale(_ path: String) { _ = TargetFile.recover(path, removing: true) }

  /// Removes every file that is begun and not complete, or keeps it where it is recorded live, when the
  /// process ends in a hurry. From any thread.
  package static func leaveAll() { TargetFile.leaveAll() }

  /// A WAV stream on standard output. From here on whatever else prints to standard output, a
  /// plugin for one, prints to standard error.
  package static func standardOutput(
    format: StreamFormat, encoding: FileEncoding = FileEncoding()
  ) throws(IOError) -> FileSink {
    let name = "standard output"
    guard isatty(STDOUT_FILENO) == 0 else {
      throw IOError(
        .unwritable, name,
        "this is a terminal; send it to a program or a file, or write one with -o")
    }
    let descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw .writing(name, errno: errno) }
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return try stream(to: descriptor, name: name, format: format, encoding: encoding, isOwner: true)
  }

  /// A WAV stream into an open descriptor.
  package static func stream(
    to descriptor: Int32, name: String, format: StreamFormat,
    encoding: FileEncoding = FileEncoding(), isOwner: Bool = false
  ) throws(IOError) -> FileSink {
    try check(format, .wav, encoding, name)
    let drain = ByteDrain(descriptor: descriptor, name: name, isOwner: isOwner)
    return try FileSink(name, format, .wav, encoding, nil, drain, nil, nil)
  }

  private init(
    _ path: String, _ format: StreamFormat, _ fileFormat: FileFormat, _ encoding: FileEncoding,
    _ target: TargetFile?, _ drain: ByteDrain, _ refreshing: Refreshing?,
    _ expectedFrameCount: Int?
  ) throws(IOError) {
    name = path
    self.format = format
    self.target = target
    self.drain = drain
    self.refreshing = refreshing
    statistics = SinkStatistics(channelCount: format.channelCount)
    let depth = encoding.depth ?? fileFormat.defaultDepth
    let layout: SampleLayout =
      if fileFormat.isLossy || depth == .float32 {
        .float32
      } else if depth == .int16 {
        .int16
      } else {
        fileFormat == .wav ? .int24Packed : .int24High
      }
    self.fileFormat = fileFormat
    frameLimit =
      target == nil ? nil : fileFormat.frameLimit(format, bytesPerSample: depth.rawValue / 8)
    let converter = SampleConverter(
      layout: layout, channelCount: format.channelCount, isDithered: encoding.isDithered)
    if fileFormat == .wav {
      encoder = WAVEncoder(drain, format, converter, expectedFrameCount: expectedFrameCount)
    } else {
      guard let code = fileFormat.code(depth) else {
        throw IOError(
          .unsupportedFormat, path, "FLAC stores 16 or 24 bits, not floats; use .wav for those")
      }
      guard drain.isSeekable else {
        throw IOError(
          .unsupportedFormat, path, "only WAV can be written into a pipe; use .wav")
      }
      encoder = try SoundFileEncoder(drain, format, converter, code: code)
    }
  }

  private static func check(
    _ format: StreamFormat, _ fileFormat: FileFormat, _ encoding: FileEncoding, _ path: String
  ) throws(IOError) {
    guard (1...1024).contains(format.channelCount), format.sampleRate.isFinite,
      (1...4_294_967_295).contains(format.sampleRate)
    else {
      throw IOError(
        .unsupportedFormat, path,
        "\(format.channelCount) channels at \(format.sampleRate) Hz cannot be written")
    }
    if fileFormat == .opus, ![8000, 12000, 16000, 24000, 48000].contains(format.sampleRate) {
      throw IOError(
        .unsupportedFormat, path,
        "Opus takes 48000 Hz, not \(Int(format.sampleRate)); "
          + "give the chain \"sampleRate\": 48000, or write .ogg")
    }
    if fileFormat.isLossy, format.channelCount > 255 {
      throw IOError(
        .unsupportedFormat, path,
        "\(fileFormat == .opus ? "Opus" : "Vorbis") takes 255 channels, "
          + "not \(format.channelCount); write .wav, or mix down before")
    }
    if fileFormat.isLossy, format.layout.isNamed,
      case let stored = ChannelOrder.vorbis(format.channelCount).layout,
      stored.isNamed, format.layout.withBackSurround != stored.withBackSurround
    {
      throw IOError(
        .unsupportedFormat, path,
        "\(fileFormat == .opus ? "Opus" : "Vorbis") has \(stored) for \(format.channelCount) "
          + "channels, not \(format.layout); write .wav or .flac")
    }
    if fileFormat == .flac, format.channelCount > 8 {
      throw IOError(
        .unsupportedFormat, path,
        "FLAC takes 8 channels, not \(format.channelCount); write .wav, or mix down before")
    }
    let depth = encoding.depth ?? fileFormat.defaultDepth
    guard fileFormat.code(depth) != nil else {
      throw IOError(
        .unsupportedFormat, path, "FLAC stores 16 or 24 bits, not floats; use .wav for those")
    }
  }

  package func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(IOError) {
    guard frameCount > 0 else { return }
    try check(statistics.frameCount + frameCount, "has reached")
    statistics.measure(channels, frameCount: frameCount)
    guard encoder.write(channels, frameCount: frameCount) else { throw failure }
    guard refreshing?.refresh(encoder, drain) ?? true else { throw failure }
  }

  package func rest() throws(IOError) {
    guard refreshing?.refresh(encoder, drain, wasWritten: false) ?? true else { throw failure }
  }

  package func complete() throws(IOError) {
    guard !isComplete else { return }
    guard encoder.finish() else { throw failure }
    isComplete = true
  }

  package func finish() throws(IOError) {
    try complete()
    try target?.commit()
  }

  package func abandon(keepingPartial: Bool) throws(IOError) -> String? {
    guard keepingPartial, statistics.frameCount > 0,
      isComplete || drain.failure == nil && encoder.finish() || encoder.salvage()
    else {
      target?.discard()
      return nil
    }
    return try target?.keepPartial()
  }

  package func check(_ frameCount: Int) throws(IOError) {
    try check(frameCount, "would be longer than")
  }

  private func check(_ frameCount: Int, _ verb: String) throws(IOError) {
    guard let frameLimit, frameCount > frameLimit else { return }
    throw IOError(
      .unsupportedFormat, name,
      "\(verb) 4 GB, the most that .\(fileFormat.rawValue) can hold; "
        + "write .wav, .caf, .w64 or .flac")
  }

  package func interrupt() { drain.interrupt() }

  private var failure: IOError {
    guard drain.failure == nil, let message = encoder.failureMessage else { return drain.error }
    return IOError(.unwritable, name, "cannot be encoded: \(message)")
  }
}
