package import FxAnalysis
import FxAudio

/// What a chain does to sound, as measured.
package struct Response: Sendable {
  /// Channels that are the same sample by sample count as one.
  package struct Channel: Sendable {
    /// `left`, `left and right`; empty where all are the same.
    package var name: String
    /// The answer to an impulse of 1, from `impulseOrigin` frames before it.
    package var impulse: [Float] = []
    /// By frequency.
    package var points: [TransferFunction.Point] = []
    /// A tone that grows louder.
    package var levels: [ToneSteps.Result] = []
    /// A tone that becomes higher.
    package var tones: [ToneSteps.Result] = []
    package var sweep: [Float] = []
  }

  package var channels: [Channel]
  package var sampleRate: Double
  /// The output that was looked at.
  package var output: String
  /// Those that were not.
  package var otherOutputs: [String]
  /// Frames that have been taken off.
  package var latency: Int
  /// Of the tones over frequency and of the sweep, dB of full scale.
  package var level: Double
  /// Of the impulse that the response was taken from.
  package var impulseLevel: Double
  package var impulseOrigin: Int
  /// Peak of what comes out of silence, dB of full scale.
  package var ownSound: Double
  /// How far the answers to two impulses at different times are apart, dB below them.
  package var variation: Double
  /// The median difference of the magnitudes at these times, in thirds of an octave, dB.
  package var momentDifference: Double
  /// How far the answers to impulses of two levels are apart, as `variation`.
  package var levelDependence: Double
  /// Between the least and the largest gain of a tone over its level, dB.
  package var gainSpan: Double
  /// Between the mean gains of quiet and of loud tones, dB.
  package var gainTrend: Double
  /// It rings so long that levels change from one hertz to the next: `points` are means.
  package var isSmoothed: Bool
  /// It rings beyond what was measured.
  package var isCut: Bool
  /// Nodes that failed.
  package var faults: [String]

  /// From 20 Hz on, so that 1 kHz is one of them.
  static func frequencies(perOctave count: Int, below highest: Double) -> [Double] {
    let first = Int((Math.log2(0.02) * Double(count)).rounded(.up))
    var frequencies: [Double] = []
    for index in first... {
      let hertz = 1000 * Math.exp2(Double(index) / Double(count))
      guard hertz <= highest else { break }
      frequencies.append(hertz)
    }
    return frequencies
  }

  // MARK: Kinds

  static let soundLimit = -90.0

  /// It makes a sound of its own.
  package var isNoisy: Bool { ownSound > Self.soundLimit }
  /// So loud that what was measured of a sound is not that sound's alone.
  package var isDrowned: Bool { ownSound > -60 }
  /// It changes while it plays.
  package var isTimeVariant: Bool { variation > -60 }
  /// So much that one moment says nothing about the next.
  package var isModulated: Bool {
    isTimeVariant && (momentDifference > 1.5 || variation > -12 && !isSmoothed)
  }
  /// What it does depends on how loud the sound is.
  package var isLevelDependent: Bool {
    // A tone in a tail that moves is louder and quieter by several dB from one moment to the next.
    levelDependence > -60 || (isTimeVariant ? gainTrend > 8 : gainSpan > 0.2)
  }
}
