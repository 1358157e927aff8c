import CRealtime
import Glibc

/// Keeps a file on the disk close behind what was written to it, on the writer's thread: a process that
/// is killed leaves all but the last moment, a loss of power all but the last seconds.
final class Refreshing {
  /// Seconds between two headers, which cost a few small writes.
  static let headerInterval = 0.5
  /// Seconds between two calls that wait for the disk. A feed holds more than that.
  static let syncInterval = 2.0

  private let isSynced: Bool
  private var lastHeader = fx_monotonic_seconds()
  private var lastSync = fx_monotonic_seconds()

  /// With `isSynced` the disk is waited for too, which a render that can be repeated is not worth.
  init(isSynced: Bool) {
    self.isSynced = isSynced
  }

  /// False after a failed write.
  func refresh(_ encoder: any SampleEncoder, _ drain: ByteDrain) -> Bool {
    let now = fx_monotonic_seconds()
    guard now - lastHeader >= Refreshing.headerInterval else { return true }
    lastHeader = now
    guard encoder.refresh() else { return false }
    if isSynced, now - lastSync >= Refreshing.syncInterval {
      // What fails here fails again where it is completed.
      fdatasync(drain.descriptor)
      // From its end on: a disk that takes seconds is not asked without a pause.
      lastSync = fx_monotonic_seconds()
    }
    return true
  }
}
