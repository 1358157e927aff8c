import CRealtime
import FxFrames
import Synchronization

/// A thread that is scheduled in real time where the system lets it.
struct RealtimeThread {
  let thread: WorkerThread
  let isRealtime: Bool
  /// The `errno` with which the system refused real-time scheduling.
  let refusal: Int32

  /// Starts the thread on these processors, on any where none is named. `body` hears whether it is
  /// scheduled in real time. nil, with the `errno` in `failure`, when there is no thread.
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

/// Real-time scheduling from the system's service, where the thread may not have it of itself.
private final class Grant: Sendable {
  private let priority: Int32
  private let code = Atomic<Int32>(-1)
  private let asked = Wakeup.make()

  init(_ priority: Int32) { self.priority = priority }

  deinit { asked.destroy() }

  /// On the thread that is to have it.
  func ask() -> Bool {
    let answer = fx_realtime_from_broker(priority)
    code.store(answer, ordering: .relaxed)
    asked.signal()
    return answer == 0
  }

  /// Waits for the answer, which comes within seconds.
  var isGiven: Bool { asked.wait(seconds: 10) && code.load(ordering: .relaxed) == 0 }
}
