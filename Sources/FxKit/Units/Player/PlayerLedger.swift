import FxAudio
import Synchronization

/// The program's side of a player: it keeps the buffers alive, and reports their ends on a thread of its own.
///
/// At most `PlayerVoice.capacity` buffers wait, and there are twice as many slots in each ring, so the render
/// thread always has room for an end.
final class PlayerLedger: Sendable {
  private struct Waiting {
    let buffer: PCMBuffer
    let stage: PlayerNode.Stage
    let completion: (@Sendable (PlayerNode.Outcome) -> Void)?
  }

  private struct State {
    var waiting: [Int: Waiting] = [:]
    var lastNumber = 0
    var isEnded = false
    var hasThread = false
    var playbackSeconds = 0.0
  }

  let exchange: PlayerExchange
  private let state = Mutex(State())

  init(_ exchange: PlayerExchange) { self.exchange = exchange }

  deinit { exchange.destroy() }

  /// Seconds from a frame's rendering to its sound.
  var playbackSeconds: Double {
    get { state.withLock { $0.playbackSeconds } }
    set { state.withLock { $0.playbackSeconds = newValue } }
  }

  /// False if too many wait.
  func add(
    _ buffer: PCMBuffer, at moment: PlayerNode.Moment, _ options: PlayerNode.Options,
    _ stage: PlayerNode.Stage, _ completion: (@Sendable (PlayerNode.Outcome) -> Void)?
  ) -> Bool {
    state.withLock { state in
      guard state.waiting.count < PlayerVoice.capacity, !state.isEnded else { return false }
      state.lastNumber += 1
      var entry = PlayerExchange.Entry(
        number: state.lastNumber, samples: buffer.planarSamples, frameCount: buffer.frameCount,
        begin: .next, frame: 0, seconds: 0, loops: options.contains(.loops),
        interrupts: options.contains(.interrupts))
      switch moment {
      case .next: break
      case .now: (entry.begin, entry.interrupts) = (.now, true)
      case .frame(let frame): (entry.begin, entry.frame) = (.frame, frame)
      case .host(let seconds): (entry.begin, entry.seconds) = (.host, seconds)
      }
      guard give(entry) else { return false }
      state.waiting[entry.number] = Waiting(buffer: buffer, stage: stage, completion: completion)
      start(&state)
      return true
    }
  }

  func stop() {
    state.withLock { state in
      state.lastNumber += 1
      _ = give(
        PlayerExchange.Entry(
          number: state.lastNumber, samples: nil, frameCount: 0, begin: .now, frame: 0, seconds: 0,
          loops: false, interrupts: true))
    }
  }

  /// The player is gone: all waiting buffers are cut.
  func end() {
    let waiting = state.withLock { state in
      state.isEnded = true
      defer { state.waiting = [:] }
      return state.waiting.sorted { $0.key < $1.key }.map(\.value)
    }
    exchange.wakeup.signal()
    for entry in waiting { entry.completion?(.cut) }
  }

  private func give(_ entry: PlayerExchange.Entry) -> Bool {
    let slot = exchange.given.freeSlot
    guard slot >= 0 else { return false }
    (exchange.entries + slot).initialize(to: entry)
    exchange.given.produce()
    return true
  }

  /// Starts the thread with the first buffer. The thread keeps the ledger alive until `end`.
  private func start(_ state: inout State) {
    guard !state.hasThread else { return }
    var code: Int32 = 0
    guard
      let thread = WorkerThread(
        stackByteCount: WorkerThread.readerStackByteCount, failure: &code,
        { [self] in
          while reportEnds() { exchange.wakeup.wait() }
        })
    else { return }
    thread.forget()
    state.hasThread = true
  }

  /// Completes the buffers that have ended; false after `end`.
  private func reportEnds() -> Bool {
    while exchange.taken.filledSlot >= 0 {
      let end = exchange.ends[exchange.taken.filledSlot]
      exchange.taken.consume()
      guard let waiting = state.withLock({ $0.waiting.removeValue(forKey: end.number) }) else {
        continue
      }
      let outcome = end.isWhole ? PlayerNode.Outcome.played : .cut
      guard waiting.stage == .playedBack, end.isWhole else {
        waiting.completion?(outcome)
        continue
      }
      after(seconds: playbackSeconds) { waiting.completion?(outcome) }
    }
    return !state.withLock { $0.isEnded }
  }

  private func after(seconds: Double, _ complete: @escaping @Sendable () -> Void) {
    guard seconds > 0 else { return complete() }
    Task {
      try? await Task.sleep(for: .seconds(seconds))
      complete()
    }
  }
}
