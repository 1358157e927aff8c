package import FxAudio
package import FxMedia

/// Reads a source as it was played live: paused, resumed and moved at the frames in the log of
/// changes.
///
/// It reads the same frames in the same order as the live sources, so the samples are identical to
/// the bit. Frames that were missing because a source was late are not reproduced.
package final class ReplayedSource: AudioSource {
  package var name: String { source.name }
  package var format: StreamFormat { source.format }
  package var frameCount: Int? { nil }
  package var warnings: [String] { source.warnings }
  package var isSeekable: Bool { false }

  private let source: LoopedSource
  private var changes: ArraySlice<AppliedTransportChange>
  private let fadeLength: Int
  private var frame = 0
  private var openness: Int
  private var isPaused = false
  /// The frames that fade out from the position before the last jump.
  private var leaving: PlanarBuffer
  private var leavingLeft = 0
  private let cursors: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// - Parameters:
  ///   - source: in the state in which the playback began.
  ///   - changes: sorted by frame; only pauses, resumptions and jumps are used.
  package init(_ source: LoopedSource, changes: [AppliedTransportChange]) {
    self.source = source
    self.changes = changes[...]
    fadeLength = TransportFade.frameCount(sampleRate: source.format.sampleRate)
    openness = fadeLength + 1
    leaving = PlanarBuffer(channelCount: source.format.channelCount, frameCount: fadeLength)
    cursors = .allocate(capacity: max(source.format.channelCount, 1))
  }

  deinit { cursors.deallocate() }

  package func interrupt() { source.interrupt() }

  package func seek(toFrame frame: Int) throws(Failure) {
    guard frame == self.frame else {
      throw Failure(.unreadable, name, "a performance is heard from its beginning")
    }
  }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    while let next = changes.first, next.frame <= frame {
      changes = changes.dropFirst()
      try take(next.change)
    }
    let wanted = min(frameCount, changes.first.map { $0.frame - frame } ?? Int.max)
    guard isPaused else { return try readOpen(channels, wanted) }
    let due = min(max(openness - 1, 0), wanted)
    let got = due > 0 ? try readStep(channels, due, opens: false) : 0
    openness -= got
    if got > 0, openness > 1 {
      frame += got
      return got
    }
    openness = 0
    leavingLeft = 0
    for channel in 0..<format.channelCount {
      (channels[channel] + got).update(repeating: 0, count: wanted - got)
    }
    frame += wanted
    return wanted
  }

  private func readOpen(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ wanted: Int
  ) throws(Failure) -> Int {
    let got = try readStep(channels, wanted, opens: true)
    openness = min(openness + got, fadeLength + 1)
    frame += got
    return got
  }

  private func take(_ change: TransportChange) throws(Failure) {
    switch change {
    case .pause: isPaused = true
    case .resume: isPaused = false
    case .jump(let jump):
      leavingLeft = 0
      if jump.isFaded {
        let got = try read(into: leaving, fadeLength)
        for channel in 0..<format.channelCount {
          (leaving[channel] + got).update(repeating: 0, count: fadeLength - got)
        }
        leavingLeft = fadeLength
      }
      try source.go(to: jump.position, jump.loop)
    case .volume, .mute, .rest, .rested, .woken: break
    }
  }

  /// Reads, crossfades and fades like one `TransportStep` of the live transport.
  private func readStep(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int, opens: Bool
  ) throws(Failure) -> Int {
    let got = try source.read(into: channels, frameCount: frameCount)
    let count = min(got, leavingLeft)
    let step = TransportStep(
      takenCount: got, openness: openness, opens: opens, fadeLength: fadeLength,
      leavingCount: count, leavingDone: fadeLength - leavingLeft, leftJump: 0)
    for channel in 0..<format.channelCount {
      if count > 0 {
        step.blend(
          leaving[channel] + (fadeLength - leavingLeft), count, into: channels[channel])
      }
      step.fade(channels[channel], got)
    }
    leavingLeft -= count
    return got
  }

  private func read(into buffer: PlanarBuffer, _ frameCount: Int) throws(Failure) -> Int {
    var done = 0
    while done < frameCount {
      for channel in 0..<format.channelCount {
        (cursors + channel).initialize(to: buffer[channel] + done)
      }
      let got = try source.read(into: cursors, frameCount: frameCount - done)
      if got == 0 { break }
      done += got
    }
    return done
  }
}
