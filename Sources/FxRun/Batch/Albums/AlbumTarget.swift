import FxAudio
import FxKit
import FxMedia

/// What is wanted of albums, and the gain that follows from a measurement.
struct AlbumTarget: Sendable {
  /// In LUFS; nil if the sound stays as it is.
  var loudness: Double?
  /// A sound that is within this many LU of the target stays as it is.
  var skipped: Double?

  init(loudness: Double? = nil, skipped: Double? = nil) {
    self.loudness = loudness
    self.skipped = skipped
  }

  /// The true peak in decibels that the gain stops at, as that of `--loudness`.
  static let ceiling = -1.0
  /// The most that the unit `gain` raises a sound.
  static let highestGain = 48.0
  /// The difference from the target in LU that is worth a remark.
  private static let tolerance = 0.05

  /// The result for an album, or for a track that is measured alone.
  struct Result: Sendable, Equatable {
    var album = AlbumGain()
    var isAlreadyRight = false
    /// A sentence if the target is missed.
    var remark: String?
  }

  /// - Parameter tracks: in an order that does not depend on shards and workers.
  func result(_ tracks: [BatchMeasurement]) -> Result {
    var result = Result()
    var sound = MeasuredLoudness()
    for track in tracks { sound.add(track.sound) }
    let own = sound.blocks.integrated()
    guard own.isFinite else {
      result.remark =
        "no part of it is above -70 LUFS for 0.4 s, so it has no loudness; its level is unchanged"
      return result
    }
    if let loudness, let wanted = sound.blocks.gain(to: loudness) {
      if let skipped, abs(loudness - own) <= skipped {
        result.isAlreadyRight = true
      } else {
        let peak = Math.decibels(amplitude: sound.truePeak)
        let gain = min(wanted, Self.ceiling - peak, Self.highestGain)
        result.album.gain = gain
        let missed = loudness - sound.blocks.integrated(gain: gain)
        if missed > Self.tolerance { result.remark = Self.remark(missed) }
      }
    }
    let gain = result.album.gain ?? 0
    var tagged = MeasuredLoudness()
    // With a gain, a file of whole numbers no longer clips as it did when it was measured.
    for track in tracks {
      tagged.add(result.album.gain == nil || track.isLossy ? track.file : track.sound)
    }
    let level = tagged.blocks.integrated(gain: gain)
    if level.isFinite {
      result.album.level = SoundTags.Level(
        loudness: level, truePeak: tagged.truePeak * Math.amplitude(decibels: gain))
    }
    return result
  }

  private static func remark(_ missed: Double) -> String {
    "target missed by \(Text.decimal(missed, 1)) LU: one gain for all tracks ends where the highest "
      + "true peak is at -1 dB"
  }
}
