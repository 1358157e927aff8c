import CRealtime
import FxAudio
import Synchronization

/// A thread with real-time scheduling if the system allows it.
struct RealtimeThread {
  let thread: WorkerThread
  let isRealtime: Bool
  /// The `errno` with which the system refused real-time scheduling.
  let refusal: Int32

  /// Starts the thread on these processors, or on any processor if the list is empty. The argument
  /// of `body` is true with real-time scheduling. Returns nil, with the `errno` in `failure`, if no
  /// thread can start.
  static func start(
    priority: Int32, processors: [Int], failure: inout Int32, _ body: @escaping (Bool) -> Void
  ) -> RealtimeThread? {
    let thread = WorkerThread(priority: priority, processors: processors, failure: &failure) {
      body(true)
    }
    if let thread { return RealtimeThread(thread: thread, isRealtime: true, refusal: 0) }
    let refusal = failure
    let grant = Grant(priority)
    let other = WorkerThread(processors: processors, failure: &failure) { body(grant.ask()) }
    guard let other else { return nil }
    return RealtimeThread(thread: other, isRealtime: grant.isGiven, refusal: refusal)
  }
}

/// Requests real-time scheduling from a system service, for a process that may not set it itself.
private final class Grant: Sendable {
  private let priority: Int32
  private let code = Atomic<Int32>(-1)
  private let asked = Wakeup.make()

  init(_ priority: Int32) { self.priority = priority }

  deinit { asked.destroy() }

  /// Called on the thread that needs the scheduling.
  func ask() -> Bool {
    let answer = fx_realtime_from_broker(priority)
    code.store(answer, ordering: .relaxed)
    asked.signal()
    return answer == 0
  }

  /// Waits for the answer, for at most ten seconds.
  var isGiven: Bool { asked.wait(seconds: 10) && code.load(ordering: .relaxed) == 0 }
}
