import FxAudio

extension UnitError {
  /// A plugin cannot be made because its process cannot be started.
  init(_ error: ProcessError) { self.init(.instantiationFailed, error.message) }
}
