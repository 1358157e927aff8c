import CRealtime
import Glibc

/// Keeps the file on the disk up to date, on the writer's thread. If the process is killed only the
/// last moment is lost; at a loss of power only the last seconds.
final class Refreshing {
  /// Seconds between two header updates, which cost a few small writes.
  static let headerInterval = 0.5
  /// Seconds between two syncs. A feed can buffer more than that.
  static let syncInterval = 2.0

  private let isSynced: Bool
  private var lastHeader = fx_monotonic_seconds()
  private var lastSync = fx_monotonic_seconds()

  /// Whether anything was written since the last header update, and since the last sync.
  private var isNew = (header: false, sync: false)

  /// With `isSynced` it also waits for the disk. A render that can be repeated does not need this.
  init(isSynced: Bool) {
    self.isSynced = isSynced
  }

  /// Call it after a write, and sometimes while there is none. False after a failed write.
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
      // An error here appears again when the file is completed.
      fdatasync(drain.descriptor)
      // Counted from the end of the sync, so that a slow disk gets a pause.
      lastSync = fx_monotonic_seconds()
    }
    return true
  }
}
