/// Sets filter states to 0 once they are too small to be heard.
///
/// Without this, the states of a filter in silence would never reach 0, and the zeros in its output
/// would change their sign. States are checked every 4096 frames of the timeline, so the output
/// does not depend on the block length.
package enum InaudibleState {
  // MARK: - Realtime

  /// States below this change no single-precision sample, whatever the filter.
  package static var limit: Double { @_noLocks get { 1e-60 } }

  /// True when a check is due in `frameCount` frames from an absolute frame on, or at their end.
  @_noLocks
  package static func isDue(from frame: Int, frameCount: Int) -> Bool {
    (frame &- 1) >> 12 != (frame &+ frameCount) >> 12
  }

  /// Frames from an absolute frame to the next check, 1 or more.
  @_noLocks
  package static func frameCount(from frame: Int) -> Int { 4096 - frame & 4095 }

  /// Sets the states to 0 if all of them are below the limit.
  @_noLocks
  package static func forget(_ states: UnsafeMutablePointer<Double>, count: Int) {
    var largest = 0.0
    for index in 0..<count { largest = max(largest, abs(states[index])) }
    if largest >= limit { return }
    for index in 0..<count { states[index] = 0 }
  }
}
