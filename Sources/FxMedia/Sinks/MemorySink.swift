package import FxAudio

/// Stores its input: channels × frames.
package final class MemorySink: AudioSink, @unchecked Sendable {
  // Sendable: one thread writes until it is finished; it is read only after that.
  package let name: String
  package let format: StreamFormat
  package private(set) var statistics: SinkStatistics
  package private(set) var channels: [[Float]]
  private let digests: UnsafeMutablePointer<SampleDigest>

  package init(name: String, format: StreamFormat) {
    self.name = name
    self.format = format
    statistics = SinkStatistics(channelCount: format.channelCount)
    channels = Array(repeating: [], count: format.channelCount)
    digests = .allocate(capacity: max(format.channelCount, 1))
    digests.initialize(repeating: SampleDigest(), count: max(format.channelCount, 1))
  }

  deinit { digests.deallocate() }

  package func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure) {
    statistics.measure(channels, frameCount: frameCount)
    for channel in 0..<format.channelCount {
      self.channels[channel].append(
        contentsOf: UnsafeBufferPointer(start: channels[channel], count: frameCount))
      digests[channel].append(channels[channel], frameCount: frameCount)
    }
  }

  /// A digest of all channels in order, and of their number. Equal bits give equal digests.
  package var digest: UInt64 {
    var whole = UInt64(format.channelCount)
    for channel in 0..<format.channelCount {
      whole = SampleDigest.joined(whole, digests[channel].value)
    }
    return whole
  }

  package func finish() throws(Failure) {}
  package func abandon(keepingPartial: Bool) throws(Failure) -> String? { nil }
}
