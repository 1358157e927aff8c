/// What a filter still holds when no sample can be made of it any more.
///
/// A filter that hears nothing would swing around the smallest numbers for ever, and its silence have
/// the sign of what is left. So states are looked at now and then, at frames of the time line, and no
/// bit depends on how blocks are cut.
package enum InaudibleState {
  // MARK: - Realtime

  /// States below this make no sample of single precision, whatever the filter.
  package static var limit: Double { @_noLocks get { 1e-60 } }

  /// True when states are to be looked at before one of these frames or behind the last, counted from
  /// an absolute frame.
  @_noLocks
  static func isDue(from frame: Int, frameCount: Int) -> Bool {
    (frame &- 1) >> 12 != (frame &+ frameCount) >> 12
  }

  /// Frames from an absolute frame to the next at which states are looked at, 1 or more.
  @_noLocks
  package static func frameCount(from frame: Int) -> Int { 4096 - frame & 4095 }
}
