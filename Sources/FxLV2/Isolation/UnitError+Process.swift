import FxAudio
import FxProcesses

extension UnitError {
  /// A plugin cannot be made because its process cannot be had.
  init(_ error: ProcessError) { self.init(.instantiationFailed, error.message) }
}
