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

  /// Written since the last header, and since the disk was last waited for.
  private var isNew = (header: false, sync: false)

  /// With `isSynced` the disk is waited for too, which a render that can be repeated is not worth.
  init(isSynced: Bool) {
    self.isSynced = isSynced
  }

  /// After a write, and now and then while there is none. False after a failed write.
  func refresh(_ encoder: any SampleEncoder, _ drain: ByteDrain, wasWritten: Bool = true) -> Bool {
    if wasWritten { isNew = (true, true) }
    guard isNew.header || isNew.sync && isSynced else { return true }
    let now = fx_monotonic_seconds()
    guard now - lastHeader >= Refreshing.headerInterval else { return true }
    lastHeader = now
    if isNew.header {
      isNew.header = false
      guard encoder.refresh() else { return false }
    }
    if isSynced, now - lastSync >= Refreshing.syncInterval {
      isNew.sync = false
      // What fails here fails again where it is completed.
      fdatasync(drain.descriptor)
      // From its end on: a disk that takes seconds is not asked without a pause.
      lastSync = fx_monotonic_seconds()
    }
    return true
  }
}
