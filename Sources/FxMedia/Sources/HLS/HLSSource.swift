import FxAudio

/// The sound of an HLS playlist. The program ffmpeg reads the list, follows it while it is live, and
/// fetches and decodes the segments.
final class HLSSource: AudioSource {
  let name: String
  let format: StreamFormat
  var frameCount: Int? { nil }
  var isSeekable: Bool { false }
  var isStreamed: Bool { true }
  /// A live stream is complete wherever it stops.
  var isUnending: Bool { !list.isFinished }
  private(set) var warnings: [String] = []
  private let list: HLSPlaylist
  private let target: PlaylistTarget
  private let settings: StreamSettings
  private let program: FFmpegProgram
  private let sound: WAVStreamSource
  private let monitor = OpeningMonitor()
  private var position = 0

  /// - Parameters:
  ///   - list: a list of segments.
  ///   - target: the place of the list.
  init(
    _ list: HLSPlaylist, at target: PlaylistTarget, _ settings: StreamSettings
  ) throws(Failure) {
    self.list = list
    self.target = target
    self.settings = settings
    name = target.shown
    let program = try FFmpegProgram(
      hls: target.location, isLocal: target.isFile, name: name,
      options: Self.options(list, settings, isLocal: target.isFile))
    let header = try? PCMHeader(HeaderBytes(peeking: program.sound))
    guard let sound = header.flatMap({ WAVStreamSource(program.sound, $0) }) else {
      let reason = program.hasFailed ? program.complaint : nil
      throw Failure(
        .unreadable, name,
        "ffmpeg finds no sound in this HLS stream\(reason.map { ": \($0)" } ?? "")")
    }
    self.program = program
    self.sound = sound
    format = sound.format
  }

  /// The longest wait for a new segment of a live stream, in seconds.
  private static func patience(_ list: HLSPlaylist, _ settings: StreamSettings) -> Double {
    max(settings.limits.idle, 3 * list.targetSeconds)
  }

  private static func options(
    _ list: HLSPlaylist, _ settings: StreamSettings, isLocal: Bool
  ) -> [String] {
    // A list without news is read again after half a segment.
    let count = Int((patience(list, settings) / max(list.targetSeconds / 2, 0.5)).rounded(.up))
    let network = [
      "-rw_timeout", String(Int(settings.limits.idle * 1e6)), "-user_agent", settings.userAgent,
    ]
    return ["-max_reload", "\(count)", "-m3u8_hold_counters", "\(count)"] + (isLocal ? [] : network)
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    guard frameCount > 0 else { return 0 }
    let count = try sound.read(into: channels, frameCount: frameCount)
    position += count
    if count == 0 { try end() }
    return count
  }

  /// Checks whether all of the sound has arrived. What a live stream has sent is complete; a sound that
  /// lacks a part is not.
  private func end() throws(Failure) {
    if monitor.isGivenUp { throw Failure(.interrupted, name, "reading was stopped") }
    if let signal = program.signal {
      throw Failure(.unreadable, name, "ffmpeg, which decodes it, was ended by \(signal)")
    }
    let hasFailed = program.hasFailed
    let losses = program.losses
    guard list.isFinished else {
      if !losses.isEmpty { warnings.append("\(lost(losses)); the sound lacks them") }
      guard let now = try? FileSource.hls(at: target, settings, monitor), now.isFinished else {
        let seconds = wholeNumber(Self.patience(list, settings))
        warnings.append(
          "the live stream has ended: "
            + (hasFailed
              ? program.complaint ?? "ffmpeg has failed"
              : "its server has sent no new segment for \(seconds) s, or cannot be reached"))
        return
      }
      return
    }
    guard losses.isEmpty else { throw Failure(.truncated, name, lost(losses)) }
    let missing = list.seconds - Double(position) / format.sampleRate
    let shortfall =
      "only \(clockSeconds(position, format.sampleRate)) of its "
      + "\(clockSeconds(Int(list.seconds * format.sampleRate), format.sampleRate)) have arrived"
      + (program.complaint.map { ": \($0)" } ?? "")
    // Half of the shortest segment: one that is lost counts, the rounding of codecs does not.
    guard hasFailed || missing > max(list.shortestSeconds / 2, 0.2) else { return }
    // Lengths that are rounded to seconds may be wrong by half a second each.
    guard !hasFailed, list.isRounded, missing <= max(list.targetSeconds, 1) else {
      throw Failure(.truncated, name, shortfall)
    }
    warnings.append(shortfall)
  }

  private func lost(_ losses: [String]) -> String {
    "\(losses.count) of its segments could not be loaded, the last: \(losses.last ?? "")"
  }

  private func wholeNumber(_ seconds: Double) -> String { String(Int(seconds.rounded(.up))) }

  func seek(toFrame frame: Int) throws(Failure) {
    try skip(to: frame, from: position)
  }

  func interrupt() {
    monitor.giveUp()
    program.sound.interrupt()
  }
}
