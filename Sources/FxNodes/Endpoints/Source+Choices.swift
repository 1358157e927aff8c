// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Source {
  /// Removes silence: at the `start`, the `end` or both `ends`, longer than `silenceTime` `inside`,
  /// or `all` of these. Times count in the sound that is left.
  public enum CutSilence: String, ParameterChoice {
    case start
    case end
    case ends
    case inside
    case all
  }
  /// The kind of a test signal.
  public enum SignalKind: String, ParameterChoice {
    case silence
    case impulse
    case tone
    case sweep
    case noise
    case pinkNoise
    case brownNoise
    case blueNoise
    case violetNoise
    case bursts
    case programme
    case sine
  }
}
