/// A release that depends on the programme: short after a peak, long after lasting loudness.
///
/// Used on the render thread.
///
/// A slow envelope follows the reduction and takes some 200 ms to reach it, so a peak leaves it where
/// it is and a loud passage fills it. The reduction is the larger of the quick one and the slow one.
/// The slow one follows the quick one, and so both together take the release time.
package struct ProgramRelease: BitwiseCopyable {
  private var slow = EnvelopeFollower()

  package init() {}

  // MARK: - Realtime

  /// The time in which a short peak is released, in seconds.
  @_noLocks
  package static func short(_ release: Double) -> Double { 0.125 * release }

  /// How fast the slow envelope moves.
  @_noLocks
  package static func speed(release: Double, sampleRate: Double) -> EnvelopeFollower.Speed {
    EnvelopeFollower.Speed(attack: 0.2, release: 0.875 * release, sampleRate: sampleRate)
  }

  /// Replaces quick reductions by the larger of them and the slow ones; returns the largest.
  @_noLocks
  package mutating func follow(
    _ reductions: UnsafeMutablePointer<Float>, count: Int, speed: EnvelopeFollower.Speed
  ) -> Float {
    var largest: Float = 0
    for index in 0..<count {
      var value = reductions[index]
      _ = slow.follow(&value, count: 1, speed: speed)
      let reduction = reductions[index] > value ? reductions[index] : value
      reductions[index] = reduction
      largest = reduction > largest ? reduction : largest
    }
    return largest
  }

  /// True when it holds nothing.
  package var isAtRest: Bool { @_noLocks get { slow.value == 0 } }

  @_noLocks
  package mutating func clear() { slow.clear() }
}
