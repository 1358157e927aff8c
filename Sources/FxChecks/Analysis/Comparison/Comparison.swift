/// The difference between the expected sound and the actual one.
package struct Comparison: Sendable, Equatable {
  /// The format and length of a sound.
  package struct Shape: Sendable, Equatable {
    package var channelCount: Int
    package var frameCount: Int
    package var sampleRate: Double

    package init(channelCount: Int, frameCount: Int, sampleRate: Double) {
      self.channelCount = channelCount
      self.frameCount = frameCount
      self.sampleRate = sampleRate
    }
  }

  /// The difference of one channel, over the frames and channels that both sounds have.
  package struct Channel: Sendable, Equatable {
    /// The first frame whose bits differ; nil when no frame differs.
    var firstDifference: Int?
    var differingFrameCount: Int
    /// The highest magnitude of the difference, and its frame.
    package var peak: Float
    var peakFrame: Int
    /// Root mean square of the difference.
    package var rms: Double
    /// The last frame whose bits differ; nil when no frame differs.
    var lastDifference: Int?
    /// The highest magnitude of the expected and of the actual sound.
    var expectedPeak: Float = 0
    var actualPeak: Float = 0
    /// The frame after the last frame of the actual sound that is not silent.
    var actualEnd = 0
    /// The number of actual samples that are infinite or not a number although the expected ones
    /// are finite, and the first of them. The difference is then infinite.
    package var nonFiniteCount = 0
    var firstNonFinite: Int?

    package init(
      firstDifference: Int?, differingFrameCount: Int, peak: Float, peakFrame: Int, rms: Double
    ) {
      self.firstDifference = firstDifference
      self.differingFrameCount = differingFrameCount
      self.peak = peak
      self.peakFrame = peakFrame
      self.rms = rms
    }
  }

  /// A simple change from the expected to the actual sound. Several parts can apply at once: 64
  /// frames later and 0.1 dB louder.
  package struct Explanation: Sendable, Equatable {
    /// The delay of the actual sound in frames; negative for earlier.
    package var lag = 0
    /// True when it is earlier because its beginning, which is not silent, is missing.
    var isStartMissing = false
    /// The gain in decibels; the first of `channelGains` if that is not nil.
    package var gain = 0.0
    /// The gain of each channel when the channels differ: a changed balance, or a silent channel
    /// (minus infinity).
    var channelGains: [Double]?
    /// True when all channels are inverted.
    package var isInverted = false
    /// The inverted channels when not all are inverted; otherwise empty.
    var invertedChannels: [Int] = []
    /// For each actual channel, the expected channel; nil when the order has not changed.
    var channelOrder: [Int]?
    /// The highest magnitude of the difference that remains after all these changes are
    /// compensated.
    var residualPeak: Float = 0

    package init() {}
  }

  /// The kind of the difference.
  package enum Category: String, Sendable, CaseIterable {
    case same
    case sampleRate
    case channelCount
    /// The actual sound is silent; the expected one is not.
    case silent
    /// Samples that are infinite or not a number.
    case nonFinite
    /// The end or the beginning is missing, or the sound is longer; the common part is the same.
    case length
    /// The same sound, later or earlier.
    case latency
    case polarity
    case gain
    case channelOrder
    /// Several of the kinds above at once, and nothing else.
    case combined
    /// Differs in another way: see `bands` and `channels`.
    case content
  }

  package var expected: Shape
  package var actual: Shape
  package var category: Category
  package var channels: [Channel]
  /// nil when the difference has no such simple explanation.
  package var explanation: Explanation?
  /// The changes of the expected sound that cause the difference, the most important first; empty
  /// when they are not known.
  package var causes: [Cause] = []
  /// The RMS of the difference that the causes do not explain; nil when that is only rounding.
  var unexplained: Double?
  /// Third-octave bands in which the sounds differ: the centre in hertz and the gain of the actual
  /// sound in decibels. The most important first, at most eight.
  package var bands: [Band]
  /// The largest level change in dB of any channel in a third-octave band in which either sound is
  /// above -80 dB.
  var spectralDeviation = 0.0
  /// The highest magnitude of the frames that only the longer sound has.
  var surplusPeak: Float = 0
  /// The bit depth, 16 or 24, if the difference is only the rounding to integer samples; otherwise
  /// nil.
  var roundingBits: Int?

  package struct Band: Sendable, Equatable {
    package var hertz: Double
    package var decibels: Double

    package init(hertz: Double, decibels: Double) {
      self.hertz = hertz
      self.decibels = decibels
    }
  }

  package init(
    expected: Shape, actual: Shape, category: Category, channels: [Channel],
    explanation: Explanation? = nil, bands: [Band] = []
  ) {
    self.expected = expected
    self.actual = actual
    self.category = category
    self.channels = channels
    self.explanation = explanation
    self.bands = bands
  }
}
