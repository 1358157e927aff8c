import FxPlaying
import Synchronization

/// How far an engine has come, and who waits for it.
final class EngineProgress: Sendable {
  typealias Outcome = Result<RenderSummary, ChainFailure>

  private struct State {
    var state = Engine.State.ready
    var outcome: Outcome?
    var frames = 0
    var isPaused = false
    var startWaiters: [CheckedContinuation<Void, Never>] = []
    var endWaiters: [CheckedContinuation<Void, Never>] = []
  }

  private let content = Mutex(State())

  var state: Engine.State { content.withLock { $0.state } }
  /// The result; nil before the end.
  var outcome: Outcome? { content.withLock { $0.outcome } }
  /// Frames rendered.
  var frames: Int { content.withLock { $0.frames } }

  /// False if it has begun before.
  func begin() -> Bool {
    content.withLock { content in
      guard content.state == .ready else { return false }
      content.state = .starting
      return true
    }
  }

  /// True for the first call.
  func started() -> Bool {
    let waiters = content.withLock { content -> [CheckedContinuation<Void, Never>]? in
      guard content.state == .starting else { return nil }
      content.state = content.isPaused ? .paused : .playing
      defer { content.startWaiters = [] }
      return content.startWaiters
    }
    waiters?.forEach { $0.resume() }
    return waiters != nil
  }

  func pause(_ isPaused: Bool) {
    content.withLock { content in
      content.isPaused = isPaused
      if content.state == .playing || content.state == .paused {
        content.state = isPaused ? .paused : .playing
      }
    }
  }

  func rendered(_ progress: RenderingProgress) {
    content.withLock { $0.frames = progress.frames }
  }

  func end(_ outcome: Outcome) {
    let waiters = content.withLock { content in
      content.state = .ended
      content.outcome = outcome
      defer { (content.startWaiters, content.endWaiters) = ([], []) }
      return content.startWaiters + content.endWaiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Ends an engine that was never started; false for one that was.
  func endIfReady(_ failure: ChainFailure) -> Bool {
    content.withLock { content in
      // Nobody waits yet.
      guard content.state == .ready else { return false }
      (content.state, content.outcome) = (.ended, .failure(failure))
      return true
    }
  }

  /// Returns when the first block plays, or when it has ended.
  func waitForStart() async {
    await withCheckedContinuation { continuation in
      let isOver = content.withLock { content in
        guard content.state == .ready || content.state == .starting else { return true }
        content.startWaiters.append(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// Returns when it has ended; at once if it was never started.
  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let isOver = content.withLock { content in
        guard content.state != .ready, content.state != .ended else { return true }
        content.endWaiters.append(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}
