/// The sample rate that a sound is converted to, and the quality.
package struct RateConversion: Sendable, Hashable {
  /// The quality of a conversion, as libsoxr defines it: bits of precision, and the passband as a
  /// share of half of the lower sample rate.
  package enum Quality: String, Sendable, Hashable, CaseIterable {
    /// 16 bits, and a slow roll-off: the highest frequencies are lost.
    case low
    /// 16 bits, 88 %.
    case medium
    /// 20 bits, 91 %.
    case high
    /// 28 bits, 91 %.
    case veryHigh
  }

  /// In Hz.
  package var rate: Double
  package var quality: Quality

  package init(to rate: Double, _ quality: Quality = .veryHigh) {
    self.rate = rate
    self.quality = quality
  }
}
