import FxAudio

/// The perceived loudness of a programme; see `LoudnessCurve`.
package struct Loudness: Sendable, Equatable {
  /// Integrated loudness in LUFS, gated as in ITU-R BS.1770-4. Minus infinity for silence and for
  /// sounds shorter than 400 ms. A full-scale sine of 997 Hz in one channel has -3.01.
  package let integrated: Double
  /// The loudness range in LU, EBU Tech 3342.
  package let range: Double
  /// The true peak in dBTP.
  package let truePeak: Double

  /// One channel is mono, two are left and right. More channels are in the order of a WAV file:
  /// left, right, centre, LFE (which does not count), surround. nil for a sample rate below 16 Hz
  /// or above 2.8 MHz, for more than 64 channels and for none.
  package init?(_ sound: Sound) {
    guard sound.channelCount > 0 else { return nil }
    let format = StreamFormat(sampleRate: sound.sampleRate, channelCount: sound.channelCount)
    guard let curve = LoudnessCurve(format) else { return nil }
    let block = PlanarBuffer(channelCount: sound.channelCount, atMost: 4096)
    var frame = 0
    while frame < sound.frameCount {
      let count = min(block.frameCount, sound.frameCount - frame)
      for (channel, samples) in sound.channels.enumerated() {
        for index in 0..<count { block.channels[channel][index] = samples[frame + index] }
      }
      curve.add(block.readable, frameCount: count)
      frame += count
    }
    let summary = curve.summary
    (integrated, range, truePeak) = (summary.integrated, summary.range, summary.truePeak)
  }
}
