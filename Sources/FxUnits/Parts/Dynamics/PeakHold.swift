/// Holds each peak of a wave until the next one: the level of a tone without its zero crossings.
///
/// Used on the render thread. A rising level is followed at once. A falling level is held for a
/// time and then falls exponentially. So the level of a tone is its peak, as long as half a cycle
/// fits into the hold time.
struct PeakHold: BitwiseCopyable {
  /// The hold time and the speed of the fall.
  struct Speed: BitwiseCopyable {
    fileprivate let holdFrames: Int
    fileprivate let keep: Float

    /// Seconds to hold, and to fall to 37 %.
    @_noLocks
    package init(hold: Double, fall: Double, sampleRate: Double) {
      let frames = hold * sampleRate + 0.01
      holdFrames = frames < 1e9 ? Int(frames > 0 ? frames : 0) : 1_000_000_000
      keep = Float(1 - Smoothing.coefficient(seconds: fall, sampleRate: sampleRate))
    }
  }

  private var level: Float = 0
  /// The frames for which the level has been held, at most the hold time.
  private var age = 0

  package init() {}

  // MARK: - Realtime

  /// Replaces magnitudes, 0 or more, by the held peaks. Magnitudes above 120 dBFS count as silence.
  @_noLocks
  package mutating func follow(_ levels: UnsafeMutablePointer<Float>, count: Int, speed: Speed) {
    var (level, age) = (level, age)
    for index in 0..<count {
      // No sound is so loud. Such a peak would be held and take long to fall.
      let input = levels[index] < 1e6 ? levels[index] : 0
      if input >= level {
        level = input
        age = 0
      } else if age < speed.holdFrames {
        age &+= 1
      } else {
        let fallen = level * speed.keep
        let heard = fallen > 1e-15 ? fallen : 0
        level = heard > input ? heard : input
      }
      levels[index] = level
    }
    (self.level, self.age) = (level, age)
  }

  /// True when the level is 0.
  package var isAtRest: Bool { @_noLocks get { level == 0 } }

  @_noLocks
  package mutating func clear() {
    level = 0
    age = 0
  }
}
