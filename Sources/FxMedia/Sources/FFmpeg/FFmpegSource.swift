import FxAudio

/// A sound that the program `ffmpeg` decodes: AAC, ALAC, and formats without a decoder in fxrun.
///
/// Every read of a file gives the same samples: each position is reached by decoding from the
/// beginning. In MP4 from a server, decoding begins some packets before the position.
final class FFmpegSource: AudioSource {
  let name: String
  let format: StreamFormat
  private(set) var frameCount: Int?
  var isSeekable: Bool { reader.isLocal || excerpt != nil }
  private let reader: ByteReader
  private let demuxer: String
  private let description: String
  /// Begins at any packet; nil to read from the first byte.
  private let excerpt: MP4Excerpt?
  /// True until `program` decodes from `position` on: an excerpt is fetched when it is read.
  private var isWaiting = false
  private let unitsPerFrame: Double
  private var program: FFmpegProgram
  private var sound: WAVStreamSource
  private var position = 0
  private var complaint: String?
  /// The end of the sound in frames. After it comes only the encoder's padding, which ffmpeg keeps.
  private let end: Int

  /// - Parameters:
  ///   - demuxer: ffmpeg's name of the format.
  ///   - description: the kind of file, for messages: `an MP4 file`.
  ///   - length: the played frames that the header declares, and their sample rate.
  ///   - excerpt: starts at any packet.
  init(
    _ reader: ByteReader, demuxer: String, description: String,
    length: (frameCount: Int, sampleRate: Double)? = nil, excerpt: MP4Excerpt? = nil
  ) throws(Failure) {
    self.reader = reader
    self.demuxer = demuxer
    self.description = description
    name = reader.name
    self.excerpt = excerpt
    (program, sound) = try FFmpegSource.start(
      excerpt.map { ByteReader($0.opening()) } ?? reader, demuxer, description)
    if excerpt != nil {
      program.stop()
      isWaiting = true
    }
    format = sound.format
    let rate = sound.format.sampleRate
    unitsPerFrame = (length?.sampleRate ?? rate) / rate
    frameCount = length.map {
      Int((Double($0.frameCount) * rate / max($0.sampleRate, 1)).rounded())
    }
    end = frameCount ?? Int.max
  }

  private static func start(
    _ reader: ByteReader, _ demuxer: String, _ description: String
  ) throws(Failure) -> (FFmpegProgram, WAVStreamSource) {
    let program = try FFmpegProgram(reader, demuxer: demuxer, description: description)
    let header = try? PCMHeader(HeaderBytes(peeking: program.sound))
    guard let sound = header.flatMap({ WAVStreamSource(program.sound, $0) }) else {
      if reader.wasInterrupted { throw reader.error }
      let reason = program.hasFailed ? program.complaint : nil
      throw Failure(
        .damaged, reader.name,
        "ffmpeg finds no sound in \(description)\(reason.map { ": \($0)" } ?? "")")
    }
    return (program, sound)
  }

  var warnings: [String] { complaint.map { ["ffmpeg reports: \($0)"] } ?? [] }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    if isWaiting { try begin() }
    let wanted = min(frameCount, end - position)
    let count = wanted > 0 ? try sound.read(into: channels, frameCount: wanted) : 0
    position += count
    guard count == 0, frameCount > 0 else { return count }
    guard wanted > 0 else { return 0 }
    if reader.wasInterrupted { throw reader.error }
    let hasFailed = program.hasFailed
    if reader.hasFailed { throw reader.error }
    if let signal = program.signal {
      throw Failure(.unreadable, name, "ffmpeg, which decodes it, was ended by \(signal)")
    }
    complaint = program.complaint ?? (hasFailed ? "it has ended too early" : nil)
    self.frameCount = position
    return 0
  }

  /// Starts an excerpt some packets before the position and skips the frames of these packets.
  private func begin() throws(Failure) {
    isWaiting = false
    guard let excerpt else { return }
    let part = excerpt.stream(fromFrame: Int(Double(position) * unitsPerFrame))
    (program, sound) = try FFmpegSource.start(ByteReader(part.stream), demuxer, description)
    let count = position - Int(Double(part.firstFrame) / unitsPerFrame)
    position -= count
    try skip(count)
  }

  func seek(toFrame frame: Int) throws(Failure) {
    if excerpt != nil {
      program.stop()
      position = frame
      isWaiting = true
      return
    }
    if frame < position {
      guard isSeekable else { throw Failure(.unreadable, name, "cannot seek back in a pipe") }
      program.stop()
      guard reader.seek(to: 0) else { throw reader.error }
      (program, sound) = try FFmpegSource.start(reader, demuxer, description)
      position = 0
    }
    try skip(frame - position)
  }

  func interrupt() {
    reader.interrupt()
    program.sound.interrupt()
  }
}
