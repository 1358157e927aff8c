/// A number that reaches the value of a stretch's first frame at the stretch's end.
///
/// Render thread. The first stretch has its value at once.
package struct StretchRamp: BitwiseCopyable {
  /// At the start of the stretch.
  package private(set) var value: Float = 0
  /// What each frame adds.
  package private(set) var step: Float = 0
  private var target: Float = 0

  package init() {}

  // MARK: - Realtime

  /// True when the value stays as it is while `begin` is given the same.
  package var isStill: Bool {
    @_noLocks get { step == 0 && value == target }
  }

  @_noLocks
  package mutating func begin(_ next: Float, isFirst: Bool) {
    value = isFirst ? next : target
    target = next
    step = (target - value) * (1 / Float(ReverbNetwork.stretch))
  }
}
