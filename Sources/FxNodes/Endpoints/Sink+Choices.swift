// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Sink {
  /// The format, if the name does not choose one; default on standard output `wav`.
  public enum Format: String, ParameterChoice {
    case wav
    case flac
    case aiff
    case caf
    case w64
    case rf64
    case au
    case ogg
    case opus
    case mp3
    case raw
  }

  /// `level` records while the sound is loud, `manual` between start and stop of `fxrun control …
  /// record`; default: everything is written.
  public enum Record: String, ParameterChoice {
    case level
    case manual
  }
}
