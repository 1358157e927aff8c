package import FxAudio

/// Silence, of a given length or endless.
package final class NullSource: AudioSource {
  package let name = "silence"
  package let format: StreamFormat
  package let frameCount: Int?
  package var isSilence: Bool { true }
  private var position = 0

  package init(format: StreamFormat, frameCount: Int? = nil) {
    self.format = format
    self.frameCount = frameCount
  }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let count = min(frameCount, self.frameCount.map { max($0 - position, 0) } ?? frameCount)
    for channel in 0..<format.channelCount {
      channels[channel].update(repeating: 0, count: count)
    }
    position += count
    return count
  }

  package func seek(toFrame frame: Int) throws(Failure) { position = max(frame, 0) }
}

/// Measures the frames and discards them.
package final class NullSink: AudioSink {
  package let name = "null"
  package let format: StreamFormat
  package private(set) var statistics: SinkStatistics
  package let isQuick = true

  package init(format: StreamFormat) {
    self.format = format
    statistics = SinkStatistics(channelCount: format.channelCount)
  }

  package func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure) {
    statistics.measure(channels, frameCount: frameCount)
  }

  package func finish() throws(Failure) {}
  package func abandon(keepingPartial: Bool) throws(Failure) -> String? { nil }
}
