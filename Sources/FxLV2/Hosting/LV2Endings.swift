import CLilv
import CRealtime
import Glibc
import Synchronization

/// When plugins are cleaned up: at once, or all together as the last step of a process.
///
/// Some plugins crash in `cleanup`, or in threads that they leave behind. A command that is about
/// to end first completes its work and cleans up the plugins afterwards.
package enum LV2Endings {
  /// A plugin that must be cleaned up, with everything that it may use until then.
  struct Ending: @unchecked Sendable {
    // Sendable: used by one thread at a time, under the lock or by the thread that took it out.
    let uri: String
    let descriptor: UnsafePointer<LV2_Descriptor>
    let handle: LV2_Handle
    let features: LV2Features
    let memory: LV2Memory

    func perform() {
      LV2Instance.guarded(features.place) {
        descriptor.pointee.deactivate?(handle)
        descriptor.pointee.cleanup?(handle)
      }
      features.paths.remove()
    }
  }

  private struct State {
    var areDeferred = false
    var endings: [Ending] = []
  }

  private static let state = Mutex(State())

  /// From now on released instances are kept until `performAll`. This call loads no library.
  package static func deferAll() { state.withLock { $0.areDeferred = true } }

  /// Cleans up the deferred plugins in the order of their release, and stops deferring.
  ///
  /// With an exit status, the process ends with it and a warning if a plugin crashes here or takes
  /// more than ten seconds. The handlers stay for threads that plugins leave behind.
  package static func performAll(exitingWith status: Int32? = nil) {
    let endings = state.withLock { state in
      defer { state = State() }
      return state.endings
    }
    guard !endings.isEmpty else { return }
    if let status { fx_end_despite_crashes(status, 10) }
    for ending in endings {
      fx_ending_of(strdup("LV2 plugin '\(ending.uri)'"))
      ending.perform()
    }
    guard status == nil else {
      // A thread that a plugin has left behind may still read its features.
      state.withLock { $0.endings = endings }
      return
    }
    fx_ending_of(nil)
  }

  static func end(_ ending: Ending) {
    let isPutOff = state.withLock { state in
      if state.areDeferred { state.endings.append(ending) }
      return state.areDeferred
    }
    if !isPutOff { ending.perform() }
  }
}
