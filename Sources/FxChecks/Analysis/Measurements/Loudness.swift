import CEBUR128
import FxAudio

/// The perceived loudness of a programme: EBU R 128 by libebur128.
package struct Loudness: Sendable, Equatable {
  /// Integrated loudness in LUFS, gated as in ITU-R BS.1770-4. Minus infinity for silence and for
  /// sounds shorter than 400 ms. A full-scale sine of 997 Hz in one channel has -3.01.
  package let integrated: Double
  /// The loudness range in LU, EBU Tech 3342.
  package let range: Double
  /// The true peak in dBTP; four times oversampled below 96 kHz.
  package let truePeak: Double

  /// One channel is mono, two are left and right. More channels are in the order of a WAV file:
  /// left, right, centre, LFE (which does not count), surround. nil for a sample rate below 16 Hz
  /// or above 2.8 MHz, for more than 64 channels and for none.
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
          // One sample that is not a number would make the whole result not a number.
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
