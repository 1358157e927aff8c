import CEBUR128
import FxAudio

/// How loud a programme is to people: EBU R 128 by libebur128.
package struct Loudness: Sendable, Equatable {
  /// Integrated loudness in LUFS, gated as ITU-R BS.1770-4 has it; minus infinity where all is
  /// silence or shorter than 400 ms. A sine of 997 Hz and full scale in one channel has -3.01.
  package let integrated: Double
  /// The range of loudness in LU, EBU Tech 3342.
  package let range: Double
  /// The highest magnitude between the samples, in dBTP: four times oversampled below 96 kHz.
  package let truePeak: Double

  /// Channels are mono; left and right; with more, in the order of a WAV file: left, right, centre,
  /// LFE (which does not count), surround. nil for a rate below 16 Hz or above 2.8 MHz and for more
  /// than 64 channels or none.
  package init?(_ sound: Sound) {
    let rate = sound.sampleRate
    guard rate.isFinite, rate >= 16, rate <= 2_822_400, (1...64).contains(sound.channelCount)
    else { return nil }
    let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    var state = ebur128_init(UInt32(sound.channelCount), UInt(rate.rounded()), Int32(mode))
    guard let meter = state else { return nil }
    defer { ebur128_destroy(&state) }
    var frame = 0
    while frame < sound.frameCount {
      let count = min(4096, sound.frameCount - frame)
      var frames = [Float](repeating: 0, count: count * sound.channelCount)
      for (channel, samples) in sound.channels.enumerated() {
        for index in 0..<count {
          let sample = samples[frame + index]
          // One that is no number would be all that there is.
          frames[index * sound.channelCount + channel] = sample.isFinite ? sample : 0
        }
      }
      guard ebur128_add_frames_float(meter, frames, count) == Int32(EBUR128_SUCCESS.rawValue)
      else { return nil }
      frame += count
    }
    var (integrated, range) = (-Double.infinity, 0.0)
    ebur128_loudness_global(meter, &integrated)
    ebur128_loudness_range(meter, &range)
    self.integrated = integrated
    self.range = range
    var peak = 0.0
    for channel in 0..<sound.channelCount {
      var own = 0.0
      ebur128_true_peak(meter, UInt32(channel), &own)
      peak = max(peak, own)
    }
    truePeak = Math.decibels(amplitude: peak)
  }
}
