import FxAudio

/// Notices that nothing is heard and nothing comes, so that nothing has to be rendered. On the render
/// thread.
///
/// The units keep what they know: time stands still for them until a source is heard again, and
/// that block is rendered as any other.
struct RestWatch: BitwiseCopyable {
  private(set) var isResting = false
  private var quietFrameCount = 0

  // MARK: - Realtime

  /// Listens to the sources of a block. True when all of them are silent.
  @_noLocks
  mutating func hears(_ sources: SourceBank, _ restFrameCount: Int, frameCount: Int) -> Bool {
    guard restFrameCount >= 0 else {
      quietFrameCount = 0
      return false
    }
    return sources.isQuiet(below: Silence.level, frameCount: frameCount)
  }

  /// Listens to what was rendered. True when the rest begins behind it.
  @_noLocks
  mutating func judges(
    _ outputStage: OutputStage, _ isQuiet: Bool, _ restFrameCount: Int, frameCount: Int
  ) -> Bool {
    isResting = false
    guard isQuiet,
      outputStage.isQuiet(below: Silence.level, frameCount: frameCount)
    else {
      quietFrameCount = 0
      return false
    }
    quietFrameCount = quietFrameCount &+ frameCount
    guard quietFrameCount >= restFrameCount else { return false }
    quietFrameCount = 0
    isResting = true
    return true
  }
}
