package import FxMedia
import Synchronization

/// What the control thread and the render thread of a performance share about its transport. A view;
/// the controller destroys it.
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

  /// The jump is over: the ring that it has left is free.
  @_noLocks
  func settle(_ number: Int) { numbers.pointee.settledJump.store(number, ordering: .releasing) }

  @_noLocks
  func noteEnd() { numbers.pointee.hasEnded.store(true, ordering: .relaxed) }
}

/// Asks the render thread of a performance to pause, to jump and to change what is heard, and hears
/// at which frame it did.
package final class TransportController: @unchecked Sendable {
  // Sendable: used by the control thread; what the render thread touches is in the board.
  package let sampleRate: Double
  /// How it begins; to be set before the first frame.
  package var start = TransportStart() {
    didSet {
      lastJump = SourceJump(position: start.position, loop: start.loop)
      board.set(position: start.position, advance: 0)
    }
  }
  let board = TransportBoard.make()
  private let feeds: [SourceFeed]
  /// The last jump that was asked of the sources.
  private(set) var jumpNumber = 0
  private var lastJump = SourceJump(position: 0)
  /// Asked while another was on its way; the last one counts.
  private var waiting: SourceJump?

  init(_ feeds: [SourceFeed], sampleRate: Double) {
    self.feeds = feeds
    self.sampleRate = sampleRate
  }

  deinit { board.destroy() }

  /// True when something is read ahead.
  package var hasSources: Bool { feeds.contains { !$0.isSilence } }

  /// The first source that cannot go to another place: a pipe.
  package var fixedSource: String? { feeds.first { !$0.canJump }?.name }

  /// The frame of the sources that is heard next; the one they are on their way to.
  package var position: Int {
    (waiting ?? (isSettled ? nil : lastJump))?.position
      ?? board.numbers.pointee.position.load(ordering: .relaxed)
  }

  /// True when the sound is over and only its tail is left.
  package var hasEnded: Bool { board.numbers.pointee.hasEnded.load(ordering: .relaxed) }

  /// True while nothing is rendered; as `appliedChanges` has reported last.
  package private(set) var isResting = false

  /// What was asked for last.
  package private(set) var isPaused = false
  package private(set) var isMuted = false

  /// False while too much is waiting.
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

  /// Goes to another place, fading over into it as soon as it is read. The last of several counts.
  package func jump(to jump: SourceJump) {
    waiting = jump
    advance()
  }

  /// Goes round in another part, or no longer, from the place where it is; one behind the part goes
  /// to its beginning.
  package func go(round loop: SourceLoop?) {
    guard waiting == nil, isSettled else {
      // On the way to another place already.
      return jump(to: SourceJump(position: inside(loop, position), loop: loop))
    }
    let numbers = board.numbers
    let now = numbers.pointee.advance.load(ordering: .relaxed)
    let here = lastJump.position(after: now)
    guard inside(loop, here) == here else {
      return jump(to: SourceJump(position: inside(loop, here), loop: loop))
    }
    // Read from a little ahead, and joined where the sound has come to it.
    let lead = isPaused ? 0 : Int(sampleRate / 20)
    var jump = SourceJump(
      position: SourceJump(position: here, loop: loop).position(after: lead), loop: loop)
    jump.meeting = now + lead
    self.jump(to: jump)
  }

  private func inside(_ loop: SourceLoop?, _ position: Int) -> Int {
    loop.map { position >= $0.to ? $0.from : position } ?? position
  }

  /// What the sources go round in.
  package var loop: SourceLoop? { waiting.map(\.loop) ?? lastJump.loop }

  /// Begins with what was asked for last. As often as the control thread comes by.
  package func advance() {
    guard let jump = waiting, isSettled else { return }
    guard board.asked.push(.jump(jump), at: 0) else { return }
    waiting = nil
    lastJump = jump
    jumpNumber += 1
    for feed in feeds { feed.prepare(jump, number: jumpNumber) }
  }

  /// What has taken effect since this was last asked.
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

  /// True while a jump is on its way.
  var isJumping: Bool { !isSettled }

  private var isSettled: Bool {
    board.numbers.pointee.settledJump.load(ordering: .acquiring) == jumpNumber
  }
}
