import Synchronization

/// The events that one consumer has not taken yet: the newest of them.
final class EventQueue: Sendable {
  private struct State {
    var events: [EngineEvent] = []
    var droppedCount = 0
    var isFinished = false
    var waiting: CheckedContinuation<EngineEvent?, Never>?
    /// A task that was cancelled before it waited.
    var isCancelled = false
  }

  /// The events that are kept for a slow consumer.
  static let capacity = 256

  private let state = Mutex(State())

  func send(_ event: EngineEvent) {
    let waiting = state.withLock { state -> CheckedContinuation<EngineEvent?, Never>? in
      guard !state.isFinished else { return nil }
      if let waiting = state.waiting {
        state.waiting = nil
        return waiting
      }
      state.events.append(event)
      if state.events.count > Self.capacity {
        state.events.removeFirst()
        state.droppedCount += 1
      }
      return nil
    }
    waiting?.resume(returning: event)
  }

  func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: nil)
  }

  /// The next event; nil at the end, and when the task is cancelled.
  func next() async -> EngineEvent? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state -> EngineEvent?? in
          if state.droppedCount > 0 {
            defer { state.droppedCount = 0 }
            return .dropped(state.droppedCount)
          }
          if !state.events.isEmpty { return state.events.removeFirst() }
          // A second consumer of the same stream gets its end.
          if state.isFinished || state.isCancelled || state.waiting != nil { return .some(nil) }
          state.waiting = continuation
          return nil
        }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.isCancelled = true
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume(returning: nil)
    }
  }
}

/// Sends each event to all consumers.
final class EventBroadcast: Sendable {
  private struct State {
    var queues: [WeakQueue] = []
    var last: EngineEvent?
  }

  private struct WeakQueue: Sendable {
    weak let queue: EventQueue?
  }

  private let state = Mutex(State())

  func subscribe() -> EngineEvents {
    let queue = EventQueue()
    let last = state.withLock { state in
      state.queues.removeAll { $0.queue == nil }
      if state.last == nil { state.queues.append(WeakQueue(queue: queue)) }
      return state.last
    }
    // After the end, there is only the last event.
    if let last {
      queue.send(last)
      queue.finish()
    }
    return EngineEvents(queue: queue)
  }

  func send(_ event: EngineEvent) {
    for entry in state.withLock({ $0.queues }) { entry.queue?.send(event) }
  }

  func finish(with event: EngineEvent) {
    let queues = state.withLock { state in
      state.last = event
      defer { state.queues = [] }
      return state.queues
    }
    for entry in queues {
      entry.queue?.send(event)
      entry.queue?.finish()
    }
  }
}
