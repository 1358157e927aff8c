import FxAudio
import FxProcesses

extension UnitError {
  /// A plugin cannot be made because its process cannot be started.
  init(_ error: ProcessError) { self.init(.instantiationFailed, error.message) }
}
