package import FxMedia
import Synchronization

/// The data that the control thread and the render thread share about the transport. A view; the
/// controller destroys it.
struct TransportBoard: BitwiseCopyable, @unchecked Sendable {
  // Sendable: made of rings and atomics.
  struct Numbers: ~Copyable {
    let position = Atomic<Int>(0)
    let advance = Atomic<Int>(0)
    let settledJump = Atomic<Int>(0)
    let hasEnded = Atomic<Bool>(false)
  }

  let asked: TransportRing
  let applied: TransportRing
  let numbers: UnsafeMutablePointer<Numbers>

  static func make() -> TransportBoard {
    let numbers = UnsafeMutablePointer<Numbers>.allocate(capacity: 1)
    numbers.initialize(to: Numbers())
    return TransportBoard(asked: .make(), applied: .make(), numbers: numbers)
  }

  func destroy() {
    asked.destroy()
    applied.destroy()
    numbers.deinitialize(count: 1)
    numbers.deallocate()
  }

  // MARK: - Realtime

  @_noLocks
  func set(position: Int, advance: Int) {
    numbers.pointee.position.store(position, ordering: .relaxed)
    numbers.pointee.advance.store(advance, ordering: .relaxed)
  }

  /// The jump is over: the ring of the old position is free.
  @_noLocks
  func settle(_ number: Int) { numbers.pointee.settledJump.store(number, ordering: .releasing) }

  @_noLocks
  func noteEnd() { numbers.pointee.hasEnded.store(true, ordering: .relaxed) }
}

/// Asks the render thread to pause, to jump, and to change the volume. Reports the frame at which
/// each request took effect.
package final class TransportController: @unchecked Sendable {
  // Sendable: used by the control thread; the render thread uses only the board.
  package let sampleRate: Double
  /// The initial state; set it before the first frame.
  package var start = TransportStart() {
    didSet {
      lastJump = SourceJump(position: start.position, loop: start.loop)
      board.set(position: start.position, advance: 0)
    }
  }
  let board = TransportBoard.make()
  private let feeds: [SourceFeed]
  /// The number of the last jump sent to the sources.
  private(set) var jumpNumber = 0
  private var lastJump = SourceJump(position: 0)
  /// The jump requested while another one is in progress; only the last request is kept.
  private var waiting: SourceJump?

  init(_ feeds: [SourceFeed], sampleRate: Double) {
    self.feeds = feeds
    self.sampleRate = sampleRate
  }

  deinit { board.destroy() }

  /// True if any source is read ahead.
  package var hasSources: Bool { feeds.contains { !$0.isSilence } }

  /// The first source that cannot jump, such as a pipe.
  package var fixedSource: String? { feeds.first { !$0.canJump }?.name }

  /// The next frame of the sources; during a jump, the new position.
  package var position: Int {
    (waiting ?? (isSettled ? nil : lastJump))?.position
      ?? board.numbers.pointee.position.load(ordering: .relaxed)
  }

  /// True when the sound is over and only its tail is left.
  package var hasEnded: Bool { board.numbers.pointee.hasEnded.load(ordering: .relaxed) }

  /// True while nothing is rendered, according to the last `appliedChanges`.
  package private(set) var isResting = false

  /// The latest requests.
  package private(set) var isPaused = false
  package private(set) var isMuted = false

  /// False if the queue is full.
  package func ask(_ change: TransportChange) -> Bool {
    guard board.asked.push(change, at: 0) else { return false }
    switch change {
    case .pause: isPaused = true
    case .resume: isPaused = false
    case .mute(let isMuted, _): self.isMuted = isMuted
    case .jump, .volume, .rest, .rested, .woken: break
    }
    return true
  }

  /// Jumps to another position, with a crossfade once it has been read. Of several requests the
  /// last one counts.
  package func jump(to jump: SourceJump) {
    waiting = jump
    advance()
  }

  /// Sets or removes the loop, at the current position. A position behind the loop moves to its
  /// beginning.
  package func go(round loop: SourceLoop?) {
    guard waiting == nil, isSettled else {
      // A jump to another position is already in progress.
      return jump(to: SourceJump(position: inside(loop, position), loop: loop))
    }
    let numbers = board.numbers
    let now = numbers.pointee.advance.load(ordering: .relaxed)
    let here = lastJump.position(after: now)
    guard inside(loop, here) == here else {
      return jump(to: SourceJump(position: inside(loop, here), loop: loop))
    }
    // Reading starts a little ahead, and the sources join there when the sound has reached that
    // point.
    let lead = isPaused ? 0 : Int(sampleRate / 20)
    var jump = SourceJump(
      position: SourceJump(position: here, loop: loop).position(after: lead), loop: loop)
    jump.meeting = now + lead
    self.jump(to: jump)
  }

  private func inside(_ loop: SourceLoop?, _ position: Int) -> Int {
    loop.map { position >= $0.to ? $0.from : position } ?? position
  }

  /// The current loop of the sources.
  package var loop: SourceLoop? { waiting.map(\.loop) ?? lastJump.loop }

  /// Starts the latest requested jump. The control thread calls this regularly.
  package func advance() {
    guard let jump = waiting, isSettled else { return }
    guard board.asked.push(.jump(jump), at: 0) else { return }
    waiting = nil
    lastJump = jump
    jumpNumber += 1
    for feed in feeds { feed.prepare(jump, number: jumpNumber) }
  }

  /// The changes that took effect since the last call.
  package func appliedChanges() -> [AppliedTransportChange] {
    var changes: [AppliedTransportChange] = []
    while let change = board.applied.take() {
      switch change.change {
      case .rested: isResting = true
      case .woken: isResting = false
      default: break
      }
      changes.append(change)
    }
    return changes
  }

  /// True while a jump is in progress.
  var isJumping: Bool { !isSettled }

  private var isSettled: Bool {
    board.numbers.pointee.settledJump.load(ordering: .acquiring) == jumpNumber
  }
}
