import CRealtime
import FxAudio

/// The times that blocks take, and the kernel's counters of the render thread during playback.
///
/// A view for the render thread; the driver destroys it.
struct LiveMeasures: BitwiseCopyable, @unchecked Sendable {
  // Sendable: plain memory that only the render thread writes.
  private struct Usage: BitwiseCopyable {
    var atStart = fx_thread_usage()
    var pageFaults: UInt64 = 0
    var voluntary: UInt64 = 0
    var involuntary: UInt64 = 0
    var deviceWaits = 0
  }

  let blockTimes: TimeHistogram
  private let usage: UnsafeMutablePointer<Usage>

  static func make() -> LiveMeasures {
    let usage = UnsafeMutablePointer<Usage>.allocate(capacity: 1)
    usage.initialize(to: Usage())
    return LiveMeasures(blockTimes: .make(), usage: usage)
  }

  func destroy() {
    blockTimes.destroy()
    usage.deallocate()
  }

  /// Complete after the render thread has ended.
  var report: ThreadUse {
    let now = usage.pointee
    return ThreadUse(
      pageFaultCount: Int(clamping: now.pageFaults),
      voluntarySwitchCount: Int(clamping: now.voluntary),
      involuntarySwitchCount: Int(clamping: now.involuntary), deviceWaitCount: now.deviceWaits)
  }

  // MARK: - Realtime

  /// Starts to count here: the first blocks touch memory and code for the first time.
  @_noLocks
  func begin(deviceWaits: Int) {
    usage.pointee.atStart = fx_thread_usage_now()
    usage.pointee.deviceWaits = -deviceWaits
  }

  @_noLocks
  func end(deviceWaits: Int) {
    let now = fx_thread_usage_now()
    let start = usage.pointee.atStart
    usage.pointee.pageFaults = now.page_faults &- start.page_faults
    usage.pointee.voluntary = now.voluntary_switches &- start.voluntary_switches
    usage.pointee.involuntary = now.involuntary_switches &- start.involuntary_switches
    usage.pointee.deviceWaits = usage.pointee.deviceWaits &+ deviceWaits
  }
}

/// The kernel's counters of the render thread, without its first blocks.
struct ThreadUse {
  let pageFaultCount: Int
  /// How often it gave up its processor, and how often it was preempted.
  let voluntarySwitchCount: Int
  let involuntarySwitchCount: Int
  /// How often it waited for the device; each wait gives up the processor once.
  let deviceWaitCount: Int

  /// Other waits; there should be none.
  var otherWaitCount: Int { max(voluntarySwitchCount - deviceWaitCount, 0) }
}
