/// A programme-dependent release: short after a peak, long after lasting loudness.
///
/// Used on the render thread.
///
/// A slow envelope follows the quick reduction and takes about 200 ms to reach it. So a short peak
/// hardly moves it, and a loud passage fills it. The output is the larger of both. Because the slow
/// envelope follows the quick one, both together take the release time.
struct ProgramRelease: BitwiseCopyable {
  private var slow = EnvelopeFollower()

  package init() {}

  // MARK: - Realtime

  /// The release time after a short peak, in seconds.
  @_noLocks
  package static func short(_ release: Double) -> Double { 0.125 * release }

  /// The speeds of the slow envelope.
  @_noLocks
  package static func speed(release: Double, sampleRate: Double) -> EnvelopeFollower.Speed {
    EnvelopeFollower.Speed(attack: 0.2, release: 0.875 * release, sampleRate: sampleRate)
  }

  /// Replaces quick reductions by the larger of the quick and the slow one; returns the largest.
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

  /// True when the slow envelope is 0.
  package var isAtRest: Bool { @_noLocks get { slow.value == 0 } }

  @_noLocks
  package mutating func clear() { slow.clear() }
}
