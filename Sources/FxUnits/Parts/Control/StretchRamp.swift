/// A ramp over a stretch: at the end of the stretch it reaches the parameter's value at the
/// stretch's first frame.
///
/// Render thread. The first stretch has its value at once.
struct StretchRamp: BitwiseCopyable {
  /// The value at the start of the stretch.
  package private(set) var value: Float = 0
  /// The change per frame.
  package private(set) var step: Float = 0
  private var target: Float = 0

  package init() {}

  // MARK: - Realtime

  /// True when the value does not change as long as `begin` gets the same target.
  var isStill: Bool {
    @_noLocks get { step == 0 && value == target }
  }

  @_noLocks
  package mutating func begin(_ next: Float, isFirst: Bool) {
    value = isFirst ? next : target
    target = next
    step = (target - value) * (1 / Float(ReverbNetwork.stretch))
  }
}
