import FxAudio

/// How long a render lasts, and where it runs.
package struct RenderOptions: Sendable, Hashable {
  /// The length of the sound; a tail follows it.
  package enum Length: Sendable, Hashable {
    /// The length of this source, which may not be known in advance.
    case source(Int)
    case frames(Int)
    /// Until it is stopped.
    case endless
  }

  /// How much of the tail after the sound is kept.
  package enum Tail: Sendable, Hashable {
    case frames(Int)
    /// The number of frames that the units declare for the initial values of their parameters.
    /// Other values can make it longer.
    case declared(Int)
    /// Up to the last frame above the threshold. The tail ends after `hold` seconds below the
    /// threshold, and after at most `maximum` seconds.
    case untilSilent(threshold: Float, hold: Double, maximum: Double)

    /// Half a second of silence ends the tail, which lasts at most thirty seconds.
    package static let automatic = untilSilent(threshold: Silence.level, hold: 0.5, maximum: 30)
  }

  package var length: Length
  package var tail: Tail
  /// A stop counts as the end of the sound, because a station has no end of its own.
  package var isWholeWhenStopped = false
  /// Every block has its full length, because a plugin was promised blocks of one length.
  package var hasWholeBlocks = false
  /// The failure of a source ends the sound without an error, because a later render reports it.
  package var acceptsFailedSources = false
  /// The processors that the render thread may use in live playback; empty for all.
  package var processors: [Int] = []

  package init(length: Length = .source(0), tail: Tail = .automatic) {
    self.length = length
    self.tail = tail
  }
}
