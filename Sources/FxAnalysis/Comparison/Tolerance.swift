/// How far a sound may be from the one that is expected. Length, channels and rate are never free.
package struct Tolerance: Sendable, Equatable {
  /// The highest sample of the difference, in dB below full scale: -90.
  package var peak: Double?
  /// The difference's root mean square over all frames, the loudest channel, in dB below full scale.
  package var rms: Double?
  /// The furthest that a third of an octave may be louder or quieter, in dB, where either sound is
  /// above -80 dB in it; less than -100 dB counts as that.
  package var spectral: Double?

  package init(peak: Double? = nil, rms: Double? = nil, spectral: Double? = nil) {
    self.peak = peak
    self.rms = rms
    self.spectral = spectral
  }

  /// The same bits.
  package static let exact = Tolerance()

  package var isExact: Bool { self == .exact }
}
