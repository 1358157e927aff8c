import FxAudio
package import FxPlaying
import Glibc
import Synchronization

/// Sends requests to a chain while it plays. From any thread.
///
///     let control = LiveControl()
///     // On one thread:
///     let summary = try chain.play(request, control: control)
///     // On another:
///     try control.ask(.set(parameter: "comp.threshold", to: "-20 dB"))
public final class LiveControl: Sendable {
  public typealias Outcome = Result<LiveAnswer, ChainFailure>

  struct Asked: Sendable {
    let request: LiveRequest
    let answer: @Sendable (Outcome) -> Void
  }

  private struct State {
    var waiting: [Asked] = []
    /// Received MIDI messages.
    var received = MIDIBacklog()
    /// Connections and losses of the senders of MIDI inputs.
    var senderChanges: [SenderChange] = []
    var clock: [MIDIClockMessage] = []
    /// The thread that called `play`.
    var performer: pthread_t?
    /// True from the first frame to the last.
    var isPlaying = false
    var isOver = false
  }

  private let state = Mutex(State())
  package let wakeEvent = WakeEvent()

  public init() {}

  /// True while a performance answers requests.
  public var isPlaying: Bool { state.withLock { $0.isPlaying } }

  /// Queues a request. Requests are carried out in order. `answer` is called once, on the
  /// performance's thread, when the request has been carried out or refused; after the end of the
  /// performance it is called at once, on this thread. Requests before the first frame wait for it.
  public func post(
    _ request: LiveRequest, answer: @escaping @Sendable (Outcome) -> Void = { _ in }
  ) {
    let isOver = state.withLock { state in
      if !state.isOver { state.waiting.append(Asked(request: request, answer: answer)) }
      return state.isOver
    }
    guard !isOver else { return answer(.failure(.performanceIsOver)) }
    wakeEvent.signal()
  }

  /// Posts a request and waits for the answer.
  ///
  /// - Throws: the reason for a refusal. On the thread that called `play`, in one of its closures, a
  ///   failure of kind `request`: this thread would wait for itself, so it must `post`.
  @discardableResult
  public func ask(_ request: LiveRequest) throws(ChainFailure) -> LiveAnswer {
    let isPerformer = state.withLock { $0.performer }.map { pthread_equal($0, pthread_self()) != 0 }
    if isPerformer == true {
      throw ChainFailure(
        .request, code: .usage,
        "the thread that plays cannot wait for its own answer: post the request, or ask on another thread"
      )
    }
    let slot = AnswerSlot()
    post(request) { slot.fill($0) }
    return try slot.wait().get()
  }

  /// Queues a MIDI message of three bytes.
  func receive(_ bytes: [UInt8]) {
    guard let message = MIDIRing.Message(bytes, at: 0) else { return }
    state.withLock { state in
      if !state.isOver { state.received.add(message) }
    }
    wakeEvent.signal()
  }

  /// Queues a message of a MIDI clock.
  func receive(_ message: MIDIClockMessage) {
    state.withLock { state in
      // The limit is about a minute of clock messages; later ones are dropped.
      if !state.isOver, state.clock.count < 4096 { state.clock.append(message) }
    }
    wakeEvent.signal()
  }

  /// Queues the connection or loss of a MIDI input's sender.
  func receive(_ change: SenderChange) {
    state.withLock { state in
      if !state.isOver { state.senderChanges.append(change) }
    }
    wakeEvent.signal()
  }

  /// The number of messages dropped because they came too fast.
  var droppedMessageCount: Int { state.withLock { $0.received.droppedCount } }

  // MARK: On the performance's thread

  /// The MIDI messages since the last call.
  func takeMessages() -> [MIDIRing.Message] { state.withLock { $0.received.takeAll() } }

  /// The messages of a MIDI clock since the last call.
  func takeClock() -> [MIDIClockMessage] {
    state.withLock { state in
      defer { state.clock = [] }
      return state.clock
    }
  }

  /// Puts back messages that could not be carried out yet.
  func putBack(_ messages: some Sequence<MIDIRing.Message>) {
    state.withLock { $0.received.putBack(messages) }
  }

  func takeSenderChanges() -> [SenderChange] {
    state.withLock { state in
      defer { state.senderChanges = [] }
      return state.senderChanges
    }
  }

  /// Called on the performance's thread before anything else.
  func enter() {
    let thread = pthread_self()
    state.withLock { $0.performer = thread }
  }

  func begin() { state.withLock { $0.isPlaying = true } }

  /// The requests since the last call.
  func take() -> [Asked] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Answers all `stop` requests and returns true if there was one. Other requests keep waiting.
  func takeStop() -> Bool {
    let stops = state.withLock { state in
      let stops = state.waiting.filter { $0.request == .stop }
      state.waiting.removeAll { $0.request == .stop }
      return stops
    }
    for asked in stops { asked.answer(.success(.done)) }
    return !stops.isEmpty
  }

  /// Refuses the requests that are still waiting, and all later ones.
  func end() {
    let left = state.withLock { state in
      state.isOver = true
      state.isPlaying = false
      state.performer = nil
      defer { state.waiting = [] }
      return state.waiting
    }
    for asked in left { asked.answer(.failure(.performanceIsOver)) }
  }
}

/// Passes one answer from one thread to another that waits for it.
private final class AnswerSlot: Sendable {
  private let outcome = Mutex<LiveControl.Outcome?>(nil)
  private let wakeEvent = WakeEvent()

  func fill(_ outcome: LiveControl.Outcome) {
    self.outcome.withLock { $0 = outcome }
    wakeEvent.signal()
  }

  func wait() -> LiveControl.Outcome {
    while true {
      if let outcome = outcome.withLock({ $0 }) { return outcome }
      wakeEvent.wait(seconds: 1)
    }
  }
}

extension ChainFailure {
  static let performanceIsOver = ChainFailure(
    .request, code: .notPlaying, "the chain has ended: nothing plays")
}
