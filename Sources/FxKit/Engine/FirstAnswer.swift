import Synchronization

/// Waits for the first of several answers, one of which may be that the task was cancelled.
final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case waiting(CheckedContinuation<Value, Never>?)
    case answered(Value)
    case over
  }

  private let state = Mutex(State.waiting(nil))

  /// The first answer counts.
  func give(_ value: Value) {
    let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
      guard case .waiting(let waiter) = state else { return nil }
      state = waiter == nil ? .answered(value) : .over
      return waiter
    }
    waiter?.resume(returning: value)
  }

  /// Called once.
  ///
  /// - Parameter cancelled: the answer of a task that is cancelled.
  func wait(cancelled: Value) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state -> Value? in
          guard case .answered(let value) = state else {
            state = .waiting(continuation)
            return nil
          }
          state = .over
          return value
        }
        if let value { continuation.resume(returning: value) }
      }
    } onCancel: {
      give(cancelled)
    }
  }
}
