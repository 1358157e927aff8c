package import FxAudio

/// Measures the loudness of a whole sound, by ITU-R BS.1770-4. Not on the render thread.
package final class SoundLoudness: LoudnessGauge {
  private var meter: LoudnessMeter
  private let peaks: TruePeakMeter

  package init(_ format: StreamFormat) {
    meter = LoudnessMeter(
      channelCount: format.channelCount, layout: format.layout, sampleRate: format.sampleRate,
      keepsBlocks: true)
    peaks = TruePeakMeter(channelCount: format.channelCount)
  }

  package func take(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    meter.take(channels, frameCount: frameCount)
    peaks.take(channels, frameCount: frameCount)
  }

  package var integrated: Double { meter.integrated }
  package var truePeak: Double { Double(peaks.peak) }
  package var measured: MeasuredLoudness {
    MeasuredLoudness(meter.keptBlocks, truePeak: truePeak)
  }
}
