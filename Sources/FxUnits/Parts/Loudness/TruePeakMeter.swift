import FxAudio

/// The highest true peak of each channel; see `TruePeakDetector`.
///
/// Allocated on the control thread, used on the render thread. Any split into blocks gives the same
/// bits. A peak in the detector's last `latency` frames is not measured yet.
package struct TruePeakMeter: ~Copyable {
  private static var chunk: Int { @_noLocks get { 128 } }

  private let channelCount: Int
  private let detector: TruePeakDetector
  private let samples = SampleBuffer(count: Self.chunk)
  private let found = SampleBuffer(count: Self.chunk)
  private let highest: SampleBuffer

  package init(channelCount: Int) {
    self.channelCount = channelCount
    detector = TruePeakDetector(channelCount: channelCount, maximumFrameCount: Self.chunk)
    highest = SampleBuffer(count: channelCount)
  }

  /// The bytes that a meter with this channel count allocates.
  package static func byteCount(channelCount: Int) -> Int {
    TruePeakDetector.byteCount(channelCount: channelCount, maximumFrameCount: chunk)
      + [chunk, chunk, channelCount].reduce(0) { $0 + SampleBuffer.byteCount(count: $1) }
  }

  // MARK: - Realtime

  /// Takes the next frames.
  @_noLocks
  package func take(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    for channel in 0..<channelCount {
      var done = 0
      while done < frameCount {
        let count = min(frameCount &- done, Self.chunk)
        let input = channels[channel] + done
        for frame in 0..<count { samples.samples[frame] = input[frame].finiteSample }
        detector.process(
          samples.samples, channel: channel, into: found.samples, count: count,
          keepsLarger: false)
        var peak = highest.samples[channel]
        for frame in 0..<count where found.samples[frame] > peak { peak = found.samples[frame] }
        highest.samples[channel] = peak
        done &+= count
      }
    }
  }

  /// The highest peak of a channel as an amplitude.
  @_noLocks
  package func peak(_ channel: Int) -> Float { highest.samples[channel] }

  /// The highest peak of all channels as an amplitude.
  package var peak: Float {
    @_noLocks get {
      var peak: Float = 0
      for channel in 0..<channelCount where self.peak(channel) > peak { peak = self.peak(channel) }
      return peak
    }
  }

  @_noLocks
  package func clear() {
    detector.clear()
    highest.clear()
  }
}
