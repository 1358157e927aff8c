import FxAudio
import FxChain
import FxPlaying
import Synchronization

/// Compiles a changed chain on its own thread while another chain plays; one chain at a time.
final class ChainLoader: @unchecked Sendable {
  // Sendable: `running` is touched by the control thread alone, the rest is behind a lock.
  /// A chain ready to take over, or why it cannot.
  typealias Outcome = Result<LoadedChain, ChainFailure>

  private struct State {
    var isBusy = false
    var outcome: Outcome?
  }

  private let state = Mutex(State())
  private let wakeEvent: WakeEvent

  /// `wakeEvent` is signalled when a chain is ready.
  init(wakeEvent: WakeEvent) { self.wakeEvent = wakeEvent }

  var isBusy: Bool { state.withLock { $0.isBusy } }

  /// Starts to load; `take` returns the outcome later.
  func start(_ load: @escaping @Sendable () throws(ChainFailure) -> LoadedChain) {
    state.withLock { $0 = State(isBusy: true) }
    var code: Int32 = 0
    let thread = WorkerThread(failure: &code) { [self] in
      let outcome: Outcome
      do throws(ChainFailure) {
        outcome = .success(try load())
      } catch {
        outcome = .failure(error)
      }
      state.withLock { $0.outcome = outcome }
      wakeEvent.signal()
    }
    guard let thread else {
      state.withLock {
        $0.outcome = .failure(
          ChainFailure(.internalError, code: .threadUnavailable, "no thread to load the chain on"))
      }
      return
    }
    running = thread
  }

  /// The outcome when it is ready; each outcome is returned once.
  func take() -> Outcome? {
    let outcome = state.withLock { state -> Outcome? in
      guard let outcome = state.outcome else { return nil }
      state = State()
      return outcome
    }
    if outcome != nil { running = nil }
    return outcome
  }

  /// Joined when it is released.
  private var running: WorkerThread?
}
