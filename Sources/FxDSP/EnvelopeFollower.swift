import FxAudio

/// Follows a value with one speed upwards and another downwards. Used on the render thread.
///
/// A step is covered to 1 - 1/e (63 %) after the attack or the release time. Source: the smooth
/// branching detector of Giannoulis, Massberg and Reiss (J. Audio Eng. Soc. 60, 2012), equation 16.
package struct EnvelopeFollower: BitwiseCopyable {
  /// How fast a follower moves.
  package struct Speed: BitwiseCopyable {
    package let attack: Double
    package let release: Double

    /// Time constants in seconds; 0 follows at once.
    @_noLocks
    package init(attack: Double, release: Double, sampleRate: Double) {
      self.attack = Smoothing.coefficient(seconds: attack, sampleRate: sampleRate)
      self.release = Smoothing.coefficient(seconds: release, sampleRate: sampleRate)
    }
  }

  package private(set) var value = 0.0

  package init() {}

  // MARK: - Realtime

  /// Replaces values by the followed ones and returns the largest of these.
  @_noLocks
  package mutating func follow(
    _ values: UnsafeMutablePointer<Float>, count: Int, speed: Speed
  ) -> Float {
    let (attack, release) = (speed.attack, speed.release)
    let (keepAttack, keepRelease) = (1 - attack, 1 - release)
    var value = value
    var peak = 0.0
    // Of the two steps the larger is the right one upwards and downwards when the attack is the
    // faster, and the smaller when the release is: no branch on the way from value to value.
    if attack >= release {
      for index in 0..<count {
        let target = Double(values[index])
        let up = attack * target + keepAttack * value
        let down = release * target + keepRelease * value
        value = up > down ? up : down
        peak = value > peak ? value : peak
        values[index] = Float(value)
      }
    } else {
      for index in 0..<count {
        let target = Double(values[index])
        let up = attack * target + keepAttack * value
        let down = release * target + keepRelease * value
        value = up < down ? up : down
        peak = value > peak ? value : peak
        values[index] = Float(value)
      }
    }
    self.value = value
    return Float(peak)
  }

  @_noLocks
  package mutating func clear() {
    value = 0
  }
}

/// Coefficients of one-pole smoothers.
package enum Smoothing {
  // MARK: - Realtime

  /// The share of a step that is covered in a frame when 63 % are covered after `seconds`.
  @_noLocks
  package static func coefficient(seconds: Double, sampleRate: Double) -> Double {
    let frames = seconds * sampleRate
    return frames > 0.01 ? 1 - Math.exp(-1 / frames) : 1
  }
}
