import Synchronization

/// The unsent messages for a client: answers in the order of their requests, however late each is
/// ready, with events in between. From any thread.
final class ControlOutbox: Sendable {
  private struct State {
    /// The answers from the oldest unfinished one on.
    var answers: [[UInt8]?] = []
    /// The number of answers before those.
    var answeredCount = 0
    var bytes: [UInt8] = []
    var subscription: ControlSubscription?
    var isOverfull = false
  }

  private let state = Mutex(State())

  /// The bytes of unread events that a client may have.
  private static let limit = 1 << 20
  /// Above these limits the server reads no requests until the client has read its answers.
  private static let patientByteCount = 1 << 18
  private static let patientAnswerCount = 256

  /// Reserves a place for an answer.
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

  /// True if the client has subscribed to the event, so that there is something to send.
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

  /// True if the client has too many unread events.
  var isOverfull: Bool { state.withLock { $0.isOverfull } }

  /// True if more requests can be read.
  var hasRoom: Bool {
    state.withLock {
      $0.bytes.count < Self.patientByteCount && $0.answers.count < Self.patientAnswerCount
    }
  }

  /// True when all requests have been answered and all answers sent.
  var isEmpty: Bool { state.withLock { $0.bytes.isEmpty && $0.answers.isEmpty } }
  var isSubscribed: Bool { state.withLock { $0.subscription != nil } }
}
