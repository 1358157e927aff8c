package import FxMedia

/// What an album gives to each of its tracks: one gain, and the level of the whole album.
package struct AlbumGain: Sendable, Hashable {
  /// In decibels; nil if the sound stays as it is.
  package var gain: Double?
  /// The level with the gain; nil if the album is silent.
  package var level: SoundTags.Level?

  package init(gain: Double? = nil, level: SoundTags.Level? = nil) {
    self.gain = gain
    self.level = level
  }
}
