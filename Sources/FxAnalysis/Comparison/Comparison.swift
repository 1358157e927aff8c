/// What is different between the sound that is expected and the one that came.
package struct Comparison: Sendable, Equatable {
  /// What a sound is, without its samples.
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

  /// The difference of one channel, over the frames and channels that both have.
  package struct Channel: Sendable, Equatable {
    /// The first frame whose bits differ; nil for none.
    package var firstDifference: Int?
    package var differingFrameCount: Int
    /// The highest magnitude of the difference, and where it is.
    package var peak: Float
    package var peakFrame: Int
    /// Root mean square of the difference.
    package var rms: Double
    /// The last frame whose bits differ; nil for none.
    package var lastDifference: Int?
    /// The highest magnitude of the sound that is expected, and of the one that came.
    package var expectedPeak: Float = 0
    package var actualPeak: Float = 0
    /// The frame after the last one of the sound that came that is not silent.
    package var actualEnd = 0
    /// Samples of the sound that came that are not a number or infinite where numbers are expected,
    /// and the first of them. The difference is infinite then.
    package var nonFiniteCount = 0
    package var firstNonFinite: Int?

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

  /// What turns the expected sound into the one that came. Several may hold at once: later by 64
  /// frames and 0.1 dB louder.
  package struct Explanation: Sendable, Equatable {
    /// Frames by which it is later; negative for earlier.
    package var lag = 0
    /// It is earlier because its beginning is missing, and that is not silent.
    package var isStartMissing = false
    /// Decibels by which it is louder; where `channelGains` is not nil, the first of them.
    package var gain = 0.0
    /// The same by channel where it is not one for all: another balance, a channel that is silent
    /// (minus infinity).
    package var channelGains: [Double]?
    /// All channels are.
    package var isInverted = false
    /// The channels that are, where not all of them are; else empty.
    package var invertedChannels: [Int] = []
    /// By channel of what came, the channel of what is expected; nil where they are in their order.
    package var channelOrder: [Int]?
    /// The highest magnitude that is left of the difference once all this is made up for.
    package var residualPeak: Float = 0

    package init() {}
  }

  /// The one word for it, most telling first.
  package enum Category: String, Sendable, CaseIterable {
    case same
    case sampleRate
    case channelCount
    /// It came silent, and is not expected to be.
    case silent
    /// Samples that are not a number or infinite.
    case nonFinite
    /// Its end or its beginning is missing, or there is more; the common part is the same.
    case length
    /// The same, later or earlier.
    case latency
    case polarity
    case gain
    case channelOrder
    /// Of the above several at once, and nothing else.
    case combined
    /// Differs in another way: `bands` and the channels say where.
    case content
  }

  package var expected: Shape
  package var actual: Shape
  package var category: Category
  package var channels: [Channel]
  /// nil where nothing so simple explains the difference.
  package var explanation: Explanation?
  /// What was done to the expected sound, what matters most first; empty where that is not known.
  package var causes: [Cause] = []
  /// The root mean square of what the causes do not explain; nil where that is rounding.
  package var unexplained: Double?
  /// Third octaves in which the two differ, by their centre in hertz: decibels by which what came is
  /// louder; the ones that matter most first, at most eight.
  package var bands: [Band]
  /// The furthest that any channel is louder or quieter in a third octave, in dB, where either is
  /// above -80 dB in it.
  package var spectralDeviation = 0.0
  /// Of what only the longer of the two has, the highest magnitude.
  package var surplusPeak: Float = 0
  /// The bits of integer samples whose rounding is all the difference: 16 or 24; nil otherwise.
  package var roundingBits: Int?

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
