package import FxAudio
import Glibc

/// Writes an audio file, complete or not at all; or a stream into a pipe.
package final class FileSink: AudioSink {
  package let name: String
  package let format: StreamFormat
  package internal(set) var statistics: SinkStatistics
  let target: TargetFile?
  private let drain: ByteDrain
  private let encoder: any SampleEncoder
  private let refreshing: Refreshing?
  private var isComplete = false
  let fileFormat: FileFormat
  let layout: SampleLayout
  /// True for a recording, which is not read back: it may be very long.
  private let isRecording: Bool
  /// The most frames that the format can hold; nil for no limit.
  private let frameLimit: Int?
  private let bytesPerSample: Int
  /// Written after the sound when it is complete.
  package var tags: SoundTags
  /// Makes gauges of the loudness; nil if it is not measured.
  private var makeGauge: ((StreamFormat) -> any LoudnessGauge)?
  private var gauge: (any LoudnessGauge)?
  private var tagsLoudness = false
  /// The level of the album, for the tags.
  package var album: SoundTags.Level?
  /// Removes the file when it is complete and measured.
  package var isOnlyMeasured = false
  private var shaper: NoiseShaper?

  /// Starts a file beside `path`. The format is the encoding's, or that of the file name extension.
  /// A pipe or a device is written directly, by default as a WAV stream.
  ///
  /// - Parameters:
  ///   - expectedFrameCount: lets a short WAV file have the simplest header.
  ///   - tags: written after the sound; a format without tags ignores them.
  ///   - isRecording: the sound cannot be produced again, so it is synced to the disk every few
  ///     seconds.
  ///   - wait: how to wait for the reader of a pipe.
  ///   - previous: the previous part of the sound, and the frames of the sound before this part.
  ///     Dither and noise shaping continue as in a single file.
  package static func create(
    _ path: String, format: StreamFormat, encoding: FileEncoding = FileEncoding(),
    expectedFrameCount: Int? = nil, tags: SoundTags = SoundTags(), isRecording: Bool = false,
    wait: PipeWait = PipeWait(), continuing previous: (part: FileSink, frameCount: Int)? = nil
  ) throws(Failure) -> FileSink {
    let fileFormat = try FileFormat.writing(path, encoding)
    try check(format, fileFormat, encoding, path)
    let target = try TargetFile(path: path, isRecording: isRecording, wait: wait)
    let drain = ByteDrain(descriptor: target.descriptor, name: path, isOwner: false)
    let refreshing = target.isFile ? Refreshing(isSynced: isRecording) : nil
    return try FileSink(
      path, format, fileFormat, encoding, target, drain, refreshing, expectedFrameCount, tags,
      isRecording: isRecording, previous)
  }

  /// Keeps what killed processes have written of this file, under partial names. Returns these
  /// files.
  package static func recover(_ path: String) -> [RecoveredFile] { TargetFile.recover(path) }

  /// The parts of a sound that killed processes have begun, by their final names.
  package static func begun(_ parts: PartNames) -> [String] {
    guard let folder = parts.folder else { return [] }
    return TargetFile.begun(in: folder) { parts.matches($0) }
  }

  /// Removes what killed processes have written of this file.
  ///
  /// - Parameter isFresh: true also removes the file of a process that was killed within the last
  ///   seconds.
  package static func removeStale(_ path: String, isFresh: Bool = false) {
    TargetFile.removeStale(path, isFresh: isFresh)
  }

  /// Removes every incomplete file when the process must end quickly. Live recordings are kept.
  /// From any thread.
  package static func leaveAll() { TargetFile.leaveAll() }

  /// A stream on standard output; WAV if the encoding does not name a format. From then on
  /// everything else that prints to standard output, such as a plugin, prints to standard error.
  package static func standardOutput(
    format: StreamFormat, encoding: FileEncoding = FileEncoding()
  ) throws(Failure) -> FileSink {
    let name = "standard output"
    guard isatty(STDOUT_FILENO) == 0 else {
      throw Failure(
        .unwritable, name,
        "this is a terminal; send it to a program or a file, or write one with -o")
    }
    let descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw .writing(name, errno: errno) }
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return try stream(to: descriptor, name: name, format: format, encoding: encoding, isOwner: true)
  }

  /// A stream into an open descriptor; WAV if the encoding does not name a format.
  package static func stream(
    to descriptor: Int32, name: String, format: StreamFormat,
    encoding: FileEncoding = FileEncoding(), isOwner: Bool = false
  ) throws(Failure) -> FileSink {
    let fileFormat = encoding.format.flatMap { FileFormat(rawValue: $0) } ?? .wav
    let drain = ByteDrain(descriptor: descriptor, name: name, isOwner: isOwner)
    try check(format, fileFormat, encoding, name)
    return try FileSink(name, format, fileFormat, encoding, nil, drain, nil, nil, SoundTags())
  }

  private init(
    _ path: String, _ format: StreamFormat, _ fileFormat: FileFormat, _ encoding: FileEncoding,
    _ target: TargetFile?, _ drain: ByteDrain, _ refreshing: Refreshing?,
    _ expectedFrameCount: Int?, _ tags: SoundTags, isRecording: Bool = false,
    _ previous: (part: FileSink, frameCount: Int)? = nil
  ) throws(Failure) {
    name = path
    self.tags = tags
    self.format = format
    self.target = target
    self.drain = drain
    self.refreshing = refreshing
    self.isRecording = isRecording
    statistics = SinkStatistics(channelCount: format.channelCount)
    let depth = encoding.depth ?? fileFormat.defaultDepth
    bytesPerSample = depth.bits / 8
    self.fileFormat = fileFormat
    layout = fileFormat.layout(depth)
    statistics.isBeforeEncoding = fileFormat.isLossy
    frameLimit =
      target == nil ? nil : fileFormat.frameLimit(format, bytesPerSample: depth.bits / 8)
    var converter = SampleConverter(
      layout: layout, channelCount: format.channelCount,
      isDithered: encoding.isDithered && !encoding.shapesNoise)
    if encoding.shapesNoise, layout.isCoarse {
      shaper = NoiseShaper(
        bits: depth.bits, channelCount: format.channelCount, isDithered: encoding.isDithered)
    }
    if let previous {
      converter.seek(to: previous.frameCount)
      shaper = previous.part.shaper
    }
    if fileFormat == .wav {
      encoder = WAVEncoder(drain, format, converter, expectedFrameCount: expectedFrameCount)
    } else if fileFormat == .mp3 {
      encoder = try MP3Encoder(drain, format, encoding)
    } else {
      guard let code = fileFormat.code(depth) else { throw FileSink.noFloats(path) }
      guard drain.isSeekable || fileFormat.streams else {
        throw Failure(
          .unsupportedFormat, path,
          ".\(fileFormat.rawValue) cannot be written into a pipe, because its header is written last; "
            + "use wav, flac, ogg, opus, mp3 or raw")
      }
      encoder = try SoundFileEncoder(drain, format, converter, code: code, encoding)
    }
  }

  package var isQuick: Bool {
    fileFormat == .wav && drain.isSeekable && shaper == nil && gauge == nil
  }

  package func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure) {
    guard frameCount > 0 else { return }
    try check(statistics.frameCount + frameCount, "has reached")
    statistics.measure(channels, frameCount: frameCount)
    gauge?.take(channels, frameCount: frameCount)
    guard encode(channels, frameCount) else { throw failure }
    guard refreshing?.refresh(encoder, drain) ?? true else { throw failure }
  }

  private func encode(_ channels: UnsafePointer<UnsafePointer<Float>>, _ frameCount: Int) -> Bool {
    guard let piece = shaper?.blockFrameCount else {
      return encoder.write(channels, frameCount: frameCount)
    }
    for start in stride(from: 0, to: frameCount, by: piece) {
      let count = min(piece, frameCount - start)
      guard let rounded = shaper?.round(channels, from: start, frameCount: count),
        encoder.write(rounded.readable, frameCount: count)
      else { return false }
    }
    return true
  }

  package func rest() throws(Failure) {
    guard refreshing?.refresh(encoder, drain, wasWritten: false) ?? true else { throw failure }
  }

  package func complete() throws(Failure) {
    guard !isComplete else { return }
    guard encoder.finish() else { throw failure }
    drain.trim()
    try measureFile()
    if !tags.isEmpty, !isOnlyMeasured, let format = fileFormat.tagFormat, let target, target.isFile
    {
      var tags = tags
      tags.chapters = tags.chapters.within(Double(statistics.frameCount) / self.format.sampleRate)
      guard TagWriting.write(tags, to: target.descriptor, format) else {
        throw Failure(
          .unwritable, name, "its tags cannot be written; leave them out with --no-tags")
      }
    }
    isComplete = true
  }

  package func finish() throws(Failure) {
    try complete()
    guard !isOnlyMeasured else {
      target?.discard()
      return
    }
    try target?.commit()
  }

  package func abandon(keepingPartial: Bool) throws(Failure) -> String? {
    guard keepingPartial, statistics.frameCount > 0,
      isComplete || drain.failure == nil && encoder.finish() || encoder.salvage()
    else {
      target?.discard()
      return nil
    }
    drain.trim()
    return try target?.keepPartial()
  }

  package func check(_ frameCount: Int) throws(Failure) {
    try check(frameCount, "would be longer than")
  }

  private func check(_ frameCount: Int, _ verb: String) throws(Failure) {
    guard let frameLimit, frameCount > frameLimit else { return }
    throw Failure(
      .unsupportedFormat, name,
      "\(verb) 4 GB, the most that .\(fileFormat.rawValue) can hold; "
        + "write .wav, .caf, .w64 or .flac")
  }

  package func interrupt() { drain.interrupt() }

  /// False for a pipe or a device, which is written directly.
  package var isFile: Bool { target?.isFile ?? false }

  /// Bytes in the file so far. An encoder may hold back some of its input.
  package var byteCount: Int { drain.byteCount }

  /// The most bytes by which the complete file may exceed `byteCount`, after `frameCount` more
  /// frames.
  package func reserve(_ frameCount: Int) -> Int {
    let pictures = tags.pictures.reduce(0) { $0 + $1.bytes.count }
    let texts = tags.texts.values.joined().reduce(0) { $0 + 64 + $1.utf8.count }
    // An encoder holds back a block, and a page of Ogg has 64 KB at most.
    let block = fileFormat == .flac ? 4608 : 0
    let held = fileFormat.isLossy ? 3 << 16 : 0
    return (frameCount + block) * format.channelCount * bytesPerSample + held + pictures + texts
      + (1 << 14)
  }

  /// Measures the loudness, for the summary and maybe for the tags.
  package func measureLoudness(
    isTagged: Bool, _ make: @escaping (StreamFormat) -> any LoudnessGauge
  ) {
    tagsLoudness = isTagged
    makeGauge = make
    gauge = make(format)
  }

  /// Measures the complete file, unless its levels are those of the received frames.
  private func measureFile() throws(Failure) {
    var gauge = gauge
    let received = gauge
    let isRead =
      gauge == nil
      ? (fileFormat.isLossy || hasEightBits) && !isRecording : fileFormat.isLossy || changesSamples
    if isRead, statistics.frameCount > 0 {
      gauge = try measureDecoded(makeGauge) ?? gauge
    }
    guard let gauge else { return }
    let loudness = gauge.integrated
    statistics.loudness = loudness
    if isOnlyMeasured, let received {
      statistics.measured = (received.measured, gauge.measured)
    }
    guard tagsLoudness else { return }
    let isOpus = fileFormat == .opus
    tags.setGains(
      SoundTags.Level(loudness: loudness, truePeak: gauge.truePeak), of: "track", isOpus: isOpus)
    if let album { tags.setGains(album, of: "album", isOpus: isOpus) }
  }

  private var failure: Failure {
    guard drain.failure == nil, let message = encoder.failureMessage else { return drain.error }
    return Failure(.unwritable, name, "cannot be encoded: \(message)")
  }
}
