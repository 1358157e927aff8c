package import FxAudio

/// A sink that records while the sound is loud or on request, with a pre-roll.
///
/// All decisions depend only on samples and frame numbers, never on the block size.
package final class RecordingSink: AudioSink {
  package var name: String { sink.name }
  package let format: StreamFormat
  package var statistics: SinkStatistics { sink.statistics }
  package var nextFrame: Int { sink.nextFrame }
  package var recording: RecordingSwitch? { control }
  package let control: RecordingSwitch

  private let sink: any AudioSink
  private let rule: RecordingRule
  private let startAmplitude: Float
  private let stopAmplitude: Float
  private let stopFrameCount: Int
  private let preRollFrameCount: Int
  /// The last frames that were not written, for the pre-roll.
  private let past: PlanarRing
  private let cursors: UnsafeMutablePointer<UnsafePointer<Float>>
  private let pastCursors: UnsafeMutablePointer<UnsafePointer<Float>>
  /// Frames received.
  private var frame = 0
  private var written = 0
  private var quietCount = 0
  private var mode = Mode.waiting

  private enum Mode {
    /// Waits for a start by level or by request.
    case waiting
    /// After a stop by request: waits for silence, and after that for the level.
    case muted
    /// Records until silence, or a stop by request.
    case byLevel(since: Int)
    /// Records until a stop by request.
    case byHand(since: Int)

    var start: Int? {
      switch self {
      case .waiting, .muted: nil
      case .byLevel(let start), .byHand(let start): start
      }
    }
  }

  package init(
    _ sink: any AudioSink, _ rule: RecordingRule, _ control: RecordingSwitch = RecordingSwitch()
  ) {
    self.sink = sink
    self.rule = rule
    self.control = control
    format = sink.format
    func frames(_ seconds: Double) -> Int { Int((seconds * sink.format.sampleRate).rounded()) }
    startAmplitude = Float(Math.amplitude(decibels: rule.startLevel))
    stopAmplitude = Float(Math.amplitude(decibels: rule.stopLevel))
    stopFrameCount = max(frames(rule.stopTime), 1)
    preRollFrameCount = frames(rule.preRoll)
    past = .make(
      channelCount: format.channelCount,
      minimumCapacity: Self.capacity(preRollFrameCount))
    cursors = .allocate(capacity: max(format.channelCount, 1))
    pastCursors = .allocate(capacity: max(format.channelCount, 1))
  }

  deinit {
    past.destroy()
    cursors.deallocate()
    pastCursors.deallocate()
  }

  private static let pieceFrameCount = 4096

  private static func capacity(_ preRollFrameCount: Int) -> Int {
    preRollFrameCount + pieceFrameCount
  }

  /// The bytes of the pre-roll buffer.
  package static func memory(channelCount: Int, preRollFrameCount: Int) -> Int {
    PlanarRing.capacity(atLeast: capacity(preRollFrameCount)) * channelCount
      * MemoryLayout<Float>.stride
  }

  package func check(_ frameCount: Int) throws(Failure) {}

  package func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure) {
    var done = 0
    while done < frameCount {
      try takeRequests()
      let wanted = min(frameCount - done, Self.pieceFrameCount, framesUntilRequest)
      for channel in 0..<format.channelCount {
        (cursors + channel).initialize(to: channels[channel] + done)
      }
      done += try take(UnsafePointer(cursors), frameCount: wanted)
    }
  }

  /// Processes frames up to the next start or stop. Returns how many.
  private func take(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    switch mode {
    case .waiting:
      let start =
        rule.start == .level ? firstLoud(channels, frameCount, startAmplitude) : frameCount
      keep(channels, frameCount: start)
      if start < frameCount { mode = .byLevel(since: try begin()) }
      return start
    case .muted:
      let end = quietEnd(channels, frameCount)
      keep(channels, frameCount: end)
      if quietCount >= stopFrameCount { mode = .waiting }
      return end
    case .byLevel:
      let end = quietEnd(channels, frameCount)
      try pass(channels, frameCount: end)
      if quietCount >= stopFrameCount { stop(.waiting) }
      return end
    case .byHand:
      try pass(channels, frameCount: frameCount)
      return frameCount
    }
  }

  // MARK: By hand

  private var framesUntilRequest: Int {
    control.next.map { max(1, $0.frame - frame) } ?? Int.max
  }

  /// Handles the requests that are due.
  private func takeRequests() throws(Failure) {
    while let request = control.next, request.frame <= frame {
      control.takeNext()
      switch (request.starts, mode) {
      case (true, .byLevel(let start)): mode = .byHand(since: start)
      case (true, .byHand): break
      case (true, _): mode = .byHand(since: try begin())
      case (false, .byLevel), (false, .byHand): stop(rule.start == .level ? .muted : .waiting)
      case (false, _): break
      }
    }
  }

  // MARK: Starting and stopping

  /// Starts a take and writes the pre-roll. Returns its first frame.
  private func begin() throws(Failure) -> Int {
    let start = frame - past.readableCount
    control.start(
      RecordingSwitch.Take(startFrame: start, fileFrame: written, frameCount: nil))
    while past.readableCount > 0 {
      var count = past.readableCount
      for channel in 0..<format.channelCount {
        let (place, beforeWrap) = past.readPointer(channel)
        (pastCursors + channel).initialize(to: place)
        count = min(count, beforeWrap)
      }
      try sink.write(UnsafePointer(pastCursors), frameCount: count)
      written += count
      past.advanceTail(count)
    }
    quietCount = 0
    return start
  }

  private func stop(_ next: Mode) {
    control.stop(frameCount: frame - (mode.start ?? frame))
    quietCount = 0
    mode = next
  }

  private func pass(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure) {
    try sink.write(channels, frameCount: frameCount)
    written += frameCount
    frame += frameCount
  }

  /// Keeps the last frames for the pre-roll.
  private func keep(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    _ = past.push(channels, frameCount: frameCount)
    _ = past.drop(max(0, past.readableCount - preRollFrameCount))
    frame += frameCount
  }

  // MARK: Levels

  /// The first frame with a sample of at least this amplitude; `frameCount` if there is none.
  private func firstLoud(
    _ channels: UnsafePointer<UnsafePointer<Float>>, _ frameCount: Int, _ amplitude: Float
  ) -> Int {
    var first = frameCount
    for channel in 0..<format.channelCount {
      let samples = channels[channel]
      var index = 0
      while index < first, !(abs(samples[index]) >= amplitude) { index += 1 }
      first = index
    }
    return first
  }

  /// The frame after the one that completes the silence; `frameCount` if it is not complete yet.
  private func quietEnd(
    _ channels: UnsafePointer<UnsafePointer<Float>>, _ frameCount: Int
  ) -> Int {
    for index in 0..<frameCount {
      var isLoud = false
      for channel in 0..<format.channelCount where abs(channels[channel][index]) >= stopAmplitude {
        isLoud = true
      }
      quietCount = isLoud ? 0 : quietCount + 1
      if quietCount >= stopFrameCount { return index + 1 }
    }
    return frameCount
  }

  // MARK: The sink

  package func rest() throws(Failure) { try sink.rest() }

  package func complete() throws(Failure) {
    if mode.start != nil { stop(.waiting) }
    try sink.complete()
  }

  package func finish() throws(Failure) {
    if mode.start != nil { stop(.waiting) }
    try sink.finish()
  }

  package func abandon(keepingPartial: Bool) throws(Failure) -> String? {
    if mode.start != nil { stop(.waiting) }
    return try sink.abandon(keepingPartial: keepingPartial)
  }

  package func interrupt() { sink.interrupt() }
}
