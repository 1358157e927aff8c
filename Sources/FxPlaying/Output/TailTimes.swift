import FxAudio
import Synchronization

/// The render thread's questions about a declared tail, and the supervising thread's answers.
struct TailTimes: ~Copyable {
  /// The tail does not end before this frame.
  private let end = Atomic<Int>(0)
  /// The frame where the tail of the latest question begins.
  private let lastFrame = Atomic<Int>(0)
  private let askedCount = Atomic<Int>(0)
  private let answeredCount = Atomic<Int>(0)
  private let moves = Atomic<Bool>(false)
  /// Signalled after each answer.
  let answered = Wakeup.make()

  deinit { answered.destroy() }

  func keep(until frame: Int) {
    if frame > end.load(ordering: .relaxed) { end.store(frame, ordering: .relaxed) }
  }

  func mayChange() { moves.store(true, ordering: .relaxed) }

  /// The number of the open question; nil when there is none.
  var openNumber: Int? {
    let number = askedCount.load(ordering: .acquiring)
    return number == answeredCount.load(ordering: .relaxed) ? nil : number
  }

  var askedFrame: Int { lastFrame.load(ordering: .relaxed) }

  func answer(_ number: Int) {
    answeredCount.store(number, ordering: .releasing)
    answered.signal()
  }

  // MARK: - Realtime

  /// True when the tail may differ from the one at the start.
  var canChange: Bool {
    @_noLocks get { moves.load(ordering: .relaxed) }
  }

  @_noLocks
  func ask(from frame: Int) {
    lastFrame.store(frame, ordering: .relaxed)
    askedCount.store(askedCount.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// True while the latest question is open.
  var isAwaited: Bool {
    @_noLocks get {
      answeredCount.load(ordering: .acquiring) != askedCount.load(ordering: .relaxed)
    }
  }

  /// The end of the tail of a sound that ends at `main`.
  @_noLocks
  func end(behind main: Int, atLeast least: Int) -> Int {
    let own = main &+ least
    let other = end.load(ordering: .relaxed)
    return own > other ? own : other
  }
}
