import FxAudio

/// The highest peak of a channel between its samples: four times oversampled, each peak refined by
/// the parabola through its neighbours.
///
/// Allocated on the control thread, used on the render thread. Any split into blocks gives the same
/// bits. It lags by the oversampler's latency; of what ends in a peak the last samples are not seen.
package struct TruePeakMeter: ~Copyable {
  private static var chunk: Int { @_noLocks get { 128 } }
  private static var factor: Int { @_noLocks get { 4 } }

  private let channelCount: Int
  private let oversampler: Oversampler
  private let samples = SampleBuffer(count: Self.chunk)
  private let fine = SampleBuffer(count: Self.chunk * Self.factor)
  /// Channels × the last two fine samples.
  private let recent: SampleBuffer
  private let peaks: SampleBuffer

  package init(channelCount: Int) {
    self.channelCount = channelCount
    oversampler = Oversampler(
      factor: Self.factor, channelCount: channelCount, maximumFrameCount: Self.chunk)
    recent = SampleBuffer(count: 2 * channelCount)
    peaks = SampleBuffer(count: channelCount)
  }

  /// What a meter of so many channels allocates.
  package static func byteCount(channelCount: Int) -> Int {
    Oversampler.byteCount(factor: factor, channelCount: channelCount, maximumFrameCount: chunk)
      + [chunk, chunk * factor, 2 * channelCount, channelCount].reduce(0) {
        $0 + SampleBuffer.byteCount(count: $1)
      }
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
        oversampler.up(
          samples.samples, channel: channel, frameCount: count, to: fine.samples)
        find(channel, fineCount: count &* Self.factor)
        done &+= count
      }
    }
  }

  @_noLocks
  private func find(_ channel: Int, fineCount: Int) {
    var before = recent.samples[2 &* channel]
    var middle = recent.samples[2 &* channel &+ 1]
    var peak = peaks.samples[channel]
    for index in 0..<fineCount {
      let after = fine.samples[index]
      let height = abs(middle)
      if height >= abs(before), height >= abs(after) {
        let (left, right) = middle < 0 ? (-before, -after) : (before, after)
        let bend = 2 * height - left - right
        let slope = left - right
        let top = bend > 0 ? height + slope * slope / (8 * bend) : height
        peak = top > peak ? top : peak
      }
      before = middle
      middle = after
    }
    recent.samples[2 &* channel] = before
    recent.samples[2 &* channel &+ 1] = middle
    peaks.samples[channel] = peak
  }

  /// The highest peak of a channel as an amplitude.
  @_noLocks
  package func peak(_ channel: Int) -> Float { peaks.samples[channel] }

  /// The highest peak of all channels as an amplitude.
  package var peak: Float {
    @_noLocks get {
      var highest: Float = 0
      for channel in 0..<channelCount where peak(channel) > highest { highest = peak(channel) }
      return highest
    }
  }

  @_noLocks
  package func clear() {
    oversampler.reset()
    recent.clear()
    peaks.clear()
  }
}
