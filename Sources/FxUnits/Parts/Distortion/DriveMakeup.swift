import FxAudio

/// The gain after a curve that keeps the loudness while the drive before it changes.
///
/// A curve that is driven by `d` makes a typical signal louder by `(k + 1) d / (k + d)`: by `d` as
/// long as nothing is bent, by `k + 1` when all is. `k` is the mean of pink noise and of guitar
/// chords at -18 LUFS, in mono and in stereo.
struct DriveMakeup: BitwiseCopyable {
  private let limit: Float

  init(_ curve: String) {
    limit =
      switch curve {
      case "tape": 6.3
      case "tube": 10.2
      case "transistor", "hard": 10.5
      case "fold": 9.5
      default: 8.9
      }
  }

  // MARK: - Realtime

  /// The gain for an amplitude of the drive. It is 1 for a drive of 1.
  @_noLocks
  func gain(_ drive: Float) -> Float {
    (limit + drive) / ((limit + 1) * max(drive, 1e-6))
  }
}
