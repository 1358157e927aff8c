/// The allowed difference from an expected sound. Length, channel count and sample rate must always
/// be the same.
package struct Tolerance: Sendable, Equatable {
  /// The highest allowed peak of the difference, in dB of full scale: -90.
  package var peak: Double?
  /// The highest allowed RMS of the difference over all frames in any channel, in dB of full scale.
  package var rms: Double?
  /// The largest allowed level change in dB of a third-octave band in which either sound is above
  /// -80 dB. Levels below -100 dB count as -100 dB.
  package var spectral: Double?

  package init(peak: Double? = nil, rms: Double? = nil, spectral: Double? = nil) {
    self.peak = peak
    self.rms = rms
    self.spectral = spectral
  }

  /// Requires the same bits.
  package static let exact = Tolerance()

  package var isExact: Bool { self == .exact }
}
