import FxAudio

/// The unweighted levels of samples, in dB of full scale; minus infinity for silence.
package struct Levels: Sendable, Equatable {
  /// The highest magnitude: 0 dB is a sample of ±1.
  package let peak: Double
  /// Root mean square: a full-scale sine has -3.01 dB, a full-scale square wave 0 dB.
  package let rms: Double
  /// The mean, as an amplitude with its sign.
  package let dc: Double

  /// Peak minus RMS in dB: 3.01 for a sine, 0 for silence.
  package var crest: Double { peak == -.infinity ? 0 : peak - rms }

  package init(_ samples: [Float]) { self.init([samples]) }

  /// For all channels together: the highest peak, the RMS of all samples, and the mean with the
  /// largest magnitude of any channel.
  package init(_ sound: Sound) { self.init(sound.channels) }

  private init(_ channels: [[Float]]) {
    var (peak, energy, count, worst) = (Float(0), 0.0, 0, 0.0)
    for channel in channels where !channel.isEmpty {
      var sum = 0.0
      channel.withUnsafeBufferPointer { samples in
        for sample in samples {
          peak = max(peak, abs(sample))
          sum += Double(sample)
          energy += Double(sample) * Double(sample)
        }
      }
      let mean = sum / Double(channel.count)
      if abs(mean) > abs(worst) { worst = mean }
      count += channel.count
    }
    self.peak = Math.decibels(amplitude: Double(peak))
    rms = Math.decibels(amplitude: Math.squareRoot(energy / Double(max(count, 1))))
    dc = worst
  }
}

/// The noise floor: the level in pauses.
package struct NoiseFloor: Sendable, Equatable {
  /// RMS in dB of full scale: the 10th percentile of windows of 50 ms, in the channel where it is
  /// highest. Minus infinity for digital silence.
  package let level: Double

  package init(_ sound: Sound) {
    let rate = sound.sampleRate.isFinite ? min(max(sound.sampleRate, 1), 1e7) : 1
    let length = max(Int(rate * 0.05), 1)
    level =
      sound.channels.map { channel in
        let starts = stride(from: 0, to: max(channel.count - length / 2, 1), by: length)
        let levels = starts.map { start in
          Levels(Array(channel[start..<min(start + length, channel.count)])).rms
        }
        return levels.sorted()[levels.count / 10]
      }.max() ?? -.infinity
  }
}
