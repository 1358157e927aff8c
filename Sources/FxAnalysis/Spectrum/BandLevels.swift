import FxAudio

/// How loud each third of an octave of a sound is, for drawing.
package struct BandLevels: Sendable, Equatable {
  /// The centres as they are written: 25, 31.5, 40, … 20000.
  package let hertz: [Double]
  /// Decibels, 0 for a sine of full scale; minus infinity for silence.
  package let levels: [Double]

  /// Of the first samples, all where no number is given; empty where the rate is not one of audio.
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
