import CKernels
import FxAudio

/// Follows a value with different speeds upwards and downwards.
///
/// Used on the render thread.
///
/// A step is 63 % complete (1 - 1/e) after the attack or the release time. Source: the smooth
/// branching detector of Giannoulis, Massberg and Reiss (J. Audio Eng. Soc. 60, 2012), equation 16.
struct EnvelopeFollower: BitwiseCopyable {
  /// The speeds of a follower.
  struct Speed: BitwiseCopyable {
    package let attack: Double
    package let release: Double

    /// Time constants in seconds; 0 is immediate.
    @_noLocks
    package init(attack: Double, release: Double, sampleRate: Double) {
      self.attack = Smoothing.coefficient(seconds: attack, sampleRate: sampleRate)
      self.release = Smoothing.coefficient(seconds: release, sampleRate: sampleRate)
    }
  }

  package private(set) var value = 0.0

  package init() {}

  // MARK: - Realtime

  /// Replaces values by the envelope, and returns its largest value.
  @_noLocks
  package mutating func follow(
    _ values: UnsafeMutablePointer<Float>, count: Int, speed: Speed
  ) -> Float {
    // When the attack is faster, the larger of the two results is right upwards and downwards; when
    // the release is faster, the smaller. With all signs inverted the smaller becomes the larger,
    // so the loop needs no branch.
    let sign: Double = speed.attack >= speed.release ? 1 : -1
    let step = SIMD2(speed.attack, speed.release)
    let keep = 1 - step
    // The same in the other order: faster than swapping the lanes of a result.
    let turnedStep = SIMD2(speed.release, speed.attack)
    let turnedKeep = 1 - turnedStep
    var value = SIMD2(repeating: sign * value)
    var peak: Float = 0
    for index in 0..<count {
      let target = SIMD2(repeating: sign * Double(values[index]))
      let next = step * target + keep * value
      let turned = turnedStep * target + turnedKeep * value
      value = fx_max_d2(next, turned)
      let followed = Float(sign * value.x)
      peak = followed > peak ? followed : peak
      values[index] = followed
    }
    self.value = sign * value.x
    return peak
  }

  /// Does the same as `follow` with `count` values of 0, and returns the first value of the
  /// envelope.
  @_noLocks
  package mutating func release(count: Int, speed: Speed) -> Float {
    let keep = 1 - speed.release
    var value = value
    let first = Float(keep * value)
    for _ in 0..<count {
      if value == 0 { break }
      value *= keep
    }
    self.value = value
    return first
  }

  /// True when following this value does not change the envelope.
  @_noLocks
  package func isAtRest(at target: Float, speed: Speed) -> Bool {
    var trial = self
    var sample = target
    _ = trial.follow(&sample, count: 1, speed: speed)
    return trial.value.bitPattern == value.bitPattern
  }

  /// Continues from a value.
  @_noLocks
  package mutating func start(at value: Double) {
    self.value = value
  }

  @_noLocks
  package mutating func clear() {
    value = 0
  }
}

/// Coefficients of one-pole smoothers.
package enum Smoothing {
  /// Time constants until a step is 99 % complete: the logarithm of 100.
  static var constantsToNearlyAll: Double { @_noLocks get { 4.605_170_185_988_092 } }

  // MARK: - Realtime

  /// The share of a step per frame, for a step that is 63 % complete after `seconds`.
  @_noLocks
  package static func coefficient(seconds: Double, sampleRate: Double) -> Double {
    let frames = seconds * sampleRate
    return frames > 0.01 ? 1 - Math.exp(-1 / frames) : 1
  }
}
