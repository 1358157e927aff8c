import FxAudio

/// The level of each third-octave band of a sound, for plots.
struct BandLevels: Sendable, Equatable {
  /// The nominal centre frequencies: 25, 31.5, 40, … 20000.
  package let hertz: [Double]
  /// Decibels: 0 for a full-scale sine, minus infinity for silence.
  package let levels: [Double]

  /// Measures the first `frameCount` samples, by default all. Empty when the sample rate is outside
  /// 100 Hz to 10 MHz.
  package init(_ samples: [Float], sampleRate: Double, frameCount: Int? = nil) {
    guard let thirds = ThirdOctaves(sampleRate: sampleRate) else {
      hertz = []
      levels = []
      return
    }
    hertz = thirds.thirds.map(\.hertz)
    levels = thirds.powers(samples, frameCount: frameCount ?? samples.count).map {
      $0 > 0 ? 10 * Math.log2(2 * $0) * 0.301_029_995_663_981_2 : -.infinity
    }
  }
}
