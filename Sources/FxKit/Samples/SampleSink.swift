import FxAudio
import FxMedia

/// An output that hands samples to the caller.
final class SampleSink: AudioSink {
  let name: String
  let format: StreamFormat
  private(set) var statistics: SinkStatistics
  private let output: SampleOutput

  init(_ name: String, _ format: StreamFormat, _ output: SampleOutput) throws(Failure) {
    self.name = "the output '\(name)'"
    self.format = format
    self.output = output
    statistics = SinkStatistics(channelCount: format.channelCount)
    if case .queue(let queue) = output, StreamFormat(queue.format) != sampleFormat {
      throw Failure(
        .unsupportedFormat, self.name,
        "has \(format.channelCount) channels at \(format.sampleRate) Hz, and its queue is made for "
          + "\(queue.format.channels) at \(queue.format.sampleRate) Hz")
    }
  }

  /// The format without a layout.
  private var sampleFormat: StreamFormat {
    StreamFormat(sampleRate: format.sampleRate, channelCount: format.channelCount)
  }

  func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure) {
    statistics.measure(channels, frameCount: frameCount)
    let samples = (0..<format.channelCount).map {
      Array(UnsafeBufferPointer(start: channels[$0], count: frameCount))
    }
    switch output {
    case .queue(let queue):
      guard (try? queue.push(samples)) == true else {
        throw Failure(.interrupted, name, "nobody takes its samples any more")
      }
    case .push(let receive):
      do {
        try receive(
          samples,
          SampleFormat(sampleRate: format.sampleRate, channels: format.channelCount))
      } catch {
        throw Failure(.unwritable, name, "\(error)")
      }
    }
  }

  func complete() throws(Failure) { end() }

  func finish() throws(Failure) { end() }

  func abandon(keepingPartial: Bool) throws(Failure) -> String? {
    end()
    return nil
  }

  func interrupt() {
    if case .queue(let queue) = output { queue.cancel() }
  }

  private func end() {
    if case .queue(let queue) = output { queue.finish() }
  }
}
