import FxAudio

/// Detects that inputs and outputs are silent, so that rendering can stop. On the render thread.
///
/// The units keep their state: their time stops until a source is no longer silent. The block with
/// that signal is rendered normally.
struct RestWatch: BitwiseCopyable {
  private(set) var isResting = false
  private var quietFrameCount = 0

  // MARK: - Realtime

  /// Checks the sources of a block. True when all of them are silent.
  @_noLocks
  mutating func hears(_ sources: SourceBank, _ restFrameCount: Int, frameCount: Int) -> Bool {
    guard restFrameCount >= 0 else {
      quietFrameCount = 0
      return false
    }
    return sources.isQuiet(below: Silence.level, frameCount: frameCount)
  }

  /// Checks the rendered block. True when the rest begins after it.
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
