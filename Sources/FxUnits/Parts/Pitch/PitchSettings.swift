import FxAudio

/// The frequency ratios of a pitch shifter.
struct PitchSettings: BitwiseCopyable {
  let pitch: Double
  /// With nil the formants follow the pitch.
  let formants: Double?

  // MARK: - Realtime

  @_noLocks
  init(pitch: Double, formants: Double?) {
    self.pitch = pitch
    self.formants = formants
  }
}
