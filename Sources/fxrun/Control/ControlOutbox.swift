import Synchronization

/// What a client is still to be sent: answers in the order of its requests, whenever each is ready,
/// and events in between. From any thread.
final class ControlOutbox: Sendable {
  private struct State {
    /// Answers from the oldest that is not ready on.
    var answers: [[UInt8]?] = []
    /// How many were ready before them.
    var answeredCount = 0
    var bytes: [UInt8] = []
    var subscription: ControlSubscription?
    var isOverfull = false
  }

  private let state = Mutex(State())

  /// Bytes of events that a client may leave unread.
  private static let limit = 1 << 20
  /// Beyond these a client is not read from until it has taken what it asked for.
  private static let patientByteCount = 1 << 18
  private static let patientAnswerCount = 256

  /// A place for an answer.
  func begin() -> Int {
    state.withLock { state in
      state.answers.append(nil)
      return state.answeredCount + state.answers.count - 1
    }
  }

  func finish(_ number: Int, with line: [UInt8]) {
    state.withLock { state in
      let index = number - state.answeredCount
      guard state.answers.indices.contains(index) else { return }
      state.answers[index] = line
      let ready = state.answers.prefix { $0 != nil }.count
      guard ready > 0 else { return }
      for answer in state.answers[..<ready] { state.bytes += answer ?? [] }
      state.answers.removeFirst(ready)
      state.answeredCount += ready
    }
  }

  func subscribe(_ subscription: ControlSubscription?) {
    state.withLock { $0.subscription = subscription }
  }

  /// True when the event is wanted, and so there is something to send.
  func post(_ event: [UInt8], _ kind: ControlSubscription.Kind) -> Bool {
    state.withLock { state in
      guard state.subscription?.kinds.contains(kind) == true, !state.isOverfull else {
        return false
      }
      if state.bytes.count + event.count > Self.limit {
        state.isOverfull = true
      } else {
        state.bytes += event
      }
      return true
    }
  }

  func take() -> [UInt8] {
    state.withLock { state in
      defer { state.bytes = [] }
      return state.bytes
    }
  }

  /// True for a client that has not read its events.
  var isOverfull: Bool { state.withLock { $0.isOverfull } }

  /// True while more requests can be taken.
  var hasRoom: Bool {
    state.withLock {
      $0.bytes.count < Self.patientByteCount && $0.answers.count < Self.patientAnswerCount
    }
  }

  /// True when all that was asked is answered and taken.
  var isEmpty: Bool { state.withLock { $0.bytes.isEmpty && $0.answers.isEmpty } }
  var isSubscribed: Bool { state.withLock { $0.subscription != nil } }
}
