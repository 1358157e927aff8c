import FxAudio

/// The measured effect of a chain on sound.
package struct Response: Sendable {
  /// Channels with identical samples count as one.
  package struct Channel: Sendable {
    /// `left`, `left and right`; empty if all channels are identical.
    package var name: String
    /// The answer to an impulse of 1, from `impulseOrigin` frames before it.
    package var impulse: [Float] = []
    /// By frequency.
    package var points: [TransferFunction.Point] = []
    /// A tone with increasing level.
    package var levels: [ToneSteps.Result] = []
    /// A tone with increasing frequency.
    package var tones: [ToneSteps.Result] = []
    package var sweep: [Float] = []
  }

  package var channels: [Channel]
  package var sampleRate: Double
  /// The measured output.
  package var output: String
  /// The outputs that were not measured.
  var otherOutputs: [String]
  /// Frames of latency that were removed.
  package var latency: Int
  /// The level of the tones over frequency and of the sweep, in dB of full scale.
  package var level: Double
  /// The level of the impulse for the response.
  var impulseLevel: Double
  var impulseOrigin: Int
  /// The peak of the output for a silent input, in dB of full scale.
  var ownSound: Double
  /// The difference between the responses to two impulses at different times, in dB relative to
  /// them.
  var variation: Double
  /// The median difference of the magnitudes at these times, in third-octave bands, in dB.
  var momentDifference: Double
  /// The difference between the responses to impulses of two levels, measured like `variation`.
  var levelDependence: Double
  /// The largest change of a steady tone's level while it is measured, in dB; 0 if the response
  /// changes over time anyway.
  var movement: Double
  /// The difference between the smallest and the largest gain of a tone over its level, in dB.
  var gainSpan: Double
  /// The difference between the mean gains of quiet and of loud tones, in dB.
  var gainTrend: Double
  /// True if the response is so long that levels change from one hertz to the next: `points` are
  /// means.
  var isSmoothed: Bool
  /// True if the response is longer than the measurement.
  package var isCut: Bool
  /// The nodes that failed.
  package var faults: [String]

  /// Frequencies from 20 Hz, chosen so that 1 kHz is one of them.
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

  /// True if the chain makes a sound without an input.
  var isNoisy: Bool { ownSound > Self.soundLimit }
  /// True if that sound is so loud that it affects the measurements.
  var isDrowned: Bool { ownSound > -60 }
  /// True if the response changes over time.
  var isTimeVariant: Bool { variation > -60 }
  /// True if it changes so much that a single measurement means nothing.
  package var isModulated: Bool {
    isTimeVariant && (momentDifference > 1.5 || variation > -12 && !isSmoothed)
  }
  /// True if the level of a tone still moves after the longest wait.
  var isUnsettled: Bool { movement > 0.1 }
  /// True if the response depends on the level of the input.
  var isLevelDependent: Bool {
    // In a moving reverb tail, the level of a tone changes by several dB from moment to moment.
    levelDependence > -60 || (isTimeVariant ? gainTrend > 8 : gainSpan > 0.2)
  }
}
