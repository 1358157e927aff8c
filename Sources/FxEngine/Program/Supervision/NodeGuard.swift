import Synchronization

/// State that the render thread and the control thread share about one unit: whether it is taken
/// out after a sample that was not finite, and the frame of that sample.
///
/// The render thread takes the unit out when it has finished with it. The control thread then has
/// the unit to itself and puts it back, so a restart never happens during a render.
struct NodeGuard: ~Copyable {
  private let out = Atomic<Bool>(false)
  private let frame = Atomic<Int>(0)
  private let marks = Atomic<UInt8>(0)

  /// The sample that was not finite.
  struct Finding: Hashable {
    /// On the unit's own timeline.
    let frame: Int
    let isInfinite: Bool
    /// True when its input was not finite either.
    let wasFed: Bool
  }

  /// Why the unit is taken out; nil while it runs.
  var finding: Finding? {
    guard out.load(ordering: .acquiring) else { return nil }
    let marks = marks.load(ordering: .relaxed)
    return Finding(
      frame: frame.load(ordering: .relaxed), isInfinite: marks & 1 != 0, wasFed: marks & 2 != 0)
  }

  /// Lets the unit run again.
  func resume() { out.store(false, ordering: .releasing) }

  // MARK: - Realtime

  var isOut: Bool {
    @_noLocks get { out.load(ordering: .acquiring) }
  }

  /// Takes the unit out.
  @_noLocks
  func trip(frame: Int, isInfinite: Bool, wasFed: Bool) {
    self.frame.store(frame, ordering: .relaxed)
    marks.store((isInfinite ? 1 : 0) | (wasFed ? 2 : 0), ordering: .relaxed)
    out.store(true, ordering: .releasing)
  }
}
