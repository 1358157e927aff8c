import FxAudio

/// The parameters of a looper that may move from frame to frame.
struct LoopMix: BitwiseCopyable {
  let feedback: ParameterSignal
  let level: ParameterSignal
  let through: ParameterSignal

  // MARK: - Realtime

  @_noLocks
  init(feedback: ParameterSignal, level: ParameterSignal, through: ParameterSignal) {
    self.feedback = feedback
    self.level = level
    self.through = through
  }
}
