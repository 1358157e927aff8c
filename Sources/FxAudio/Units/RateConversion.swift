/// The rate that a sound is brought to, and how well.
package struct RateConversion: Sendable, Hashable {
  /// How much a conversion keeps, as libsoxr defines it: bits of precision, and the share of the
  /// band below half of the lower rate that is kept whole.
  package enum Quality: String, Sendable, Hashable, CaseIterable {
    /// 16 bits, and a slow roll-off: the highest treble is lost.
    case low
    /// 16 bits, 88 %.
    case medium
    /// 20 bits, 91 %.
    case high
    /// 28 bits, 91 %.
    case veryHigh
  }

  /// Frames a second.
  package var rate: Double
  package var quality: Quality

  package init(to rate: Double, _ quality: Quality = .veryHigh) {
    self.rate = rate
    self.quality = quality
  }
}
