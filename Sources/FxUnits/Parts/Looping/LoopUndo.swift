/// Whether the last overdub of a loop is heard, with the crossfade of an undo.
struct LoopUndo: BitwiseCopyable {
  /// True if there is an overdub that can be undone or brought back.
  private(set) var exists = false
  private(set) var isUndone = false
  /// The step of the crossfade: 0 with the overdub, the last one without it.
  private(set) var level = 0

  // MARK: - Realtime

  @_noLocks
  init() {}

  /// A new overdub begins.
  @_noLocks
  mutating func begin() {
    exists = true
    isUndone = false
    level = 0
  }

  @_noLocks
  mutating func toggle() { isUndone.toggle() }

  /// True when no crossfade is running.
  @_noLocks
  func isSettled(_ length: Int) -> Bool { level == (isUndone ? length : 0) }

  /// Moves a crossfade on by one frame.
  @_noLocks
  mutating func advance() { level &+= isUndone ? 1 : -1 }
}
