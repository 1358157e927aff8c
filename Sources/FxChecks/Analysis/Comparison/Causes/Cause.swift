extension Comparison {
  /// One change of the expected sound. Compensating for it removes most of the difference.
  package struct Cause: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
      case latency, fractionalLag, channelLag, speed, reversed
      case missingStart, missingEnd, missingFrames, longer
      case insertedSilence, insertedFrames, repeatedFrames, dropout
      case gain, balance, gainChange, gainOverTime, polarity
      case channelOrder, mono, width, mix
      case offset, clipping, distortion, truncation, rounding
      case filter, noise, tone, steps, clicks
    }

    package var kind: Kind
    /// The cause as part of a sentence: "0.10 dB louder".
    package var words: String
    /// The reduction of the difference in decibels when this cause is compensated too; infinite
    /// when nothing remains.
    package var reduction: Double

    package init(_ kind: Kind, _ words: String, reduction: Double) {
      self.kind = kind
      self.words = words
      self.reduction = reduction
    }
  }
}
