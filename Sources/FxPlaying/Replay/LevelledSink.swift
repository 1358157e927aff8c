package import FxAudio
package import FxMedia

/// Applies the volume and the mute of a live playback to a sink, from the log of changes. The
/// result is the signal that the sound device played.
package final class LevelledSink: AudioSink {
  package var name: String { sink.name }
  package let format: StreamFormat
  package var statistics: SinkStatistics { sink.statistics }
  package var nextFrame: Int { sink.nextFrame }
  package var isQuick: Bool { sink.isQuick }

  private let sink: any AudioSink
  private var level: OutputLevel
  private var changes: ArraySlice<AppliedTransportChange>
  /// The current frame of the playback.
  private var frame: Int
  private let buffer: PlanarBuffer
  private let cursors: UnsafeMutablePointer<UnsafePointer<Float>>
  private static let blockFrameCount = 4096

  /// - Parameters:
  ///   - amplitude: the amplitude at the start of the playback.
  ///   - changes: sorted by frame; only volume and mute are used.
  ///   - latency: frames that were rendered before the first frame that is written here.
  package init(
    _ sink: any AudioSink, amplitude: Float = 1, changes: [AppliedTransportChange], latency: Int
  ) {
    self.sink = sink
    format = sink.format
    level = OutputLevel(amplitude: amplitude)
    self.changes = changes[...]
    frame = 0
    buffer = PlanarBuffer(
      channelCount: sink.format.channelCount, frameCount: LevelledSink.blockFrameCount)
    cursors = .allocate(capacity: max(sink.format.channelCount, 1))
    while frame < latency { advance(min(latency - frame, framesUntilChange())) }
  }

  deinit { cursors.deallocate() }

  package func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure) {
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, framesUntilChange(), LevelledSink.blockFrameCount)
      for channel in 0..<format.channelCount {
        (cursors + channel).initialize(to: channels[channel] + done)
      }
      if level.isUnity {
        try sink.write(UnsafePointer(cursors), frameCount: count)
        frame += count
      } else {
        level.apply(
          UnsafePointer(cursors), to: buffer.channels, channelCount: format.channelCount,
          frameCount: count)
        frame += count
        try sink.write(buffer.readable, frameCount: count)
      }
      done += count
    }
  }

  package func finish() throws(Failure) { try sink.finish() }

  package func abandon(keepingPartial: Bool) throws(Failure) -> String? {
    try sink.abandon(keepingPartial: keepingPartial)
  }

  package func rest() throws(Failure) { try sink.rest() }
  package func complete() throws(Failure) { try sink.complete() }

  package func interrupt() { sink.interrupt() }

  private func advance(_ frameCount: Int) {
    level.skip(frameCount)
    frame += frameCount
  }

  /// Applies the changes that are due. Returns the frames to the next change, at least 1.
  private func framesUntilChange() -> Int {
    while let next = changes.first, next.frame <= frame {
      changes = changes.dropFirst()
      level.take(next.change)
    }
    return changes.first.map { $0.frame - frame } ?? Int.max
  }
}

extension OutputLevel {
  /// Applies a volume or mute change; ignores other changes.
  mutating func take(_ change: TransportChange) {
    switch change {
    case .volume(let amplitude, let frameCount): setAmplitude(amplitude, frameCount: frameCount)
    case .mute(let isMuted, let frameCount): setMuted(isMuted, frameCount: frameCount)
    case .pause, .resume, .jump, .rest, .rested, .woken: break
    }
  }
}
