/// The states of a filter that are too small to be heard, which it sets to 0.
///
/// Without that a filter in silence would swing around the smallest numbers for ever, and the zeros
/// that it makes would change their sign. States are looked at every 4096 frames of the time line, so
/// no bit depends on how blocks are cut.
package enum InaudibleState {
  // MARK: - Realtime

  /// A state below this changes no sample of single precision, whatever the filter.
  package static var limit: Double { @_noLocks get { 1e-60 } }

  /// True when states are to be looked at within so many frames from an absolute frame on, or at their
  /// end.
  @_noLocks
  package static func isDue(from frame: Int, frameCount: Int) -> Bool {
    (frame &- 1) >> 12 != (frame &+ frameCount) >> 12
  }

  /// Frames from an absolute frame to the next at which states are looked at, 1 or more.
  @_noLocks
  package static func frameCount(from frame: Int) -> Int { 4096 - frame & 4095 }

  /// Sets numbers to 0 if none of them is heard.
  @_noLocks
  package static func forget(_ states: UnsafeMutablePointer<Double>, count: Int) {
    var largest = 0.0
    for index in 0..<count { largest = max(largest, abs(states[index])) }
    if largest >= limit { return }
    for index in 0..<count { states[index] = 0 }
  }
}
