import CLilv
import CRealtime
import Glibc
import Synchronization

/// When plugins are cleaned up: at once, or all together as the last thing that a process does.
///
/// Some crash in it, or in threads of their own that outlive it. A command that is about to end
/// anyway first completes what it was asked for and lets them do so afterwards.
package enum LV2Endings {
  /// A plugin whose `cleanup` is due, with what it may still use until then.
  struct Ending: @unchecked Sendable {
    // Sendable: touched by one thread at a time, under the lock or by who has taken it out.
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

  /// From here on instances that go are kept until `performAll`. Nothing is loaded for it.
  package static func deferAll() { state.withLock { $0.areDeferred = true } }

  /// Cleans up what was put off, in the order in which it went, and then at once again.
  ///
  /// With an exit status, the process ends with it and a warning if a plugin crashes over this or
  /// takes more than ten seconds; the handlers stay for threads that plugins leave behind.
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
      // A thread that a plugin has left behind may look at what it was given.
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
