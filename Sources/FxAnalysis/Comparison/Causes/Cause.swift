extension Comparison {
  /// One thing that was done to the expected sound: making up for it removes most of the difference.
  package struct Cause: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
      case latency, fractionalLag, channelLag, speed, reversed
      case missingStart, missingEnd, missingFrames, longer
      case insertedSilence, insertedFrames, repeatedFrames, dropout
      case gain, balance, gainChange, gainOverTime, polarity
      case channelOrder, mono, width, mix
      case offset, clipping, distortion, truncation, rounding
      case filter, noise, tone
    }

    package var kind: Kind
    /// As part of a sentence: "0.10 dB louder".
    package var words: String
    /// Decibels by which the difference shrinks when this is made up for as well; infinite where
    /// nothing is left.
    package var reduction: Double

    package init(_ kind: Kind, _ words: String, reduction: Double) {
      self.kind = kind
      self.words = words
      self.reduction = reduction
    }
  }
}
