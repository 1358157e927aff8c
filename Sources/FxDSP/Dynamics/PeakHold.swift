/// The peaks of a wave, held until the next one: the level of a tone without its zero crossings.
///
/// Used on the render thread. A level that rises is followed at once. One that falls is held for a
/// time and then falls exponentially, so the level of a tone is its peak as long as half a cycle fits
/// into the hold.
package struct PeakHold: BitwiseCopyable {
  /// Times in frames.
  package struct Speed: BitwiseCopyable {
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
  /// Frames for which the level has been held.
  private var age = 0

  package init() {}

  // MARK: - Realtime

  /// Replaces magnitudes, 0 or more, by the peaks held; above 120 dBFS they count as silence.
  @_noLocks
  package mutating func follow(_ levels: UnsafeMutablePointer<Float>, count: Int, speed: Speed) {
    var (level, age) = (level, age)
    for index in 0..<count {
      // No sound is as loud: it would be held, and last for long.
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

  /// True when it holds nothing.
  package var isAtRest: Bool { @_noLocks get { level == 0 } }

  @_noLocks
  package mutating func clear() {
    level = 0
    age = 0
  }
}
