import Synchronization

/// How long the parts of a crossfade from one chain to another last, in frames.
struct CrossfadeTiming: BitwiseCopyable {
  /// Until what will have faded in before is let in: the noise that a unit may begin with.
  var opening: Int
  /// Until what is new has heard enough to be let in.
  var warmUp: Int
  var fade: Int
  /// False where nothing that goes can sound on.
  var ringsOut: Bool
  /// Silence after which what sounds on has come to an end.
  var hold: Int
  /// The longest that it may sound on.
  var longest: Int
  /// The fade of what sounds still then, and of what somebody does not want to wait for.
  var ending: Int
  var hurriedEnding: Int
  /// From the fade until the new delay lines hold nothing but the new chain's signals.
  var settling: Int
  /// Changes of parameters that are sent along.
  var commandCount: Int
}

/// Where a crossfade stands.
package enum CrossfadePhase: Int, Sendable {
  /// The render thread has not taken it yet.
  case waiting
  /// The new nodes hear, and are not heard.
  case warmingUp
  case fading
  /// What goes sounds on.
  case ringingOut
  /// What sounded on fades; delays fill.
  case ending
  case over
}

/// The times of a crossfade as a render sees them. All fades read this one clock, so that they are
/// together at every frame; they depend on the frame at which the crossfade began and on what sounded,
/// not on the blocks.
struct CrossfadeClock: BitwiseCopyable {
  struct State: BitwiseCopyable {
    let timing: CrossfadeTiming
    var start = FrameLimits.forever
    /// The fade at the end of the chain; those before it lead by the way there.
    var fadeStart = FrameLimits.forever
    var fadeEnd = FrameLimits.forever
    /// When what sounds on begins to leave, and when it has left.
    var ringingEnd = FrameLimits.forever
    var end = FrameLimits.forever
  }

  let state: UnsafeMutablePointer<State>
  private let phaseCell: UnsafeMutablePointer<Atomic<Int>>
  private let hurryCell: UnsafeMutablePointer<Atomic<Int>>
  private let startCell: UnsafeMutablePointer<Atomic<Int>>
  private let endingCell: UnsafeMutablePointer<Atomic<Int>>
  /// One behind the last frame at which something that goes was above -90 dB. Tasks note it beside each
  /// other.
  private let loudEnd: UnsafeMutablePointer<Atomic<Int>>

  init(_ timing: CrossfadeTiming, in arena: inout Arena) {
    state = arena.allocate([State(timing: timing)])
    phaseCell = arena.allocateCounter()
    hurryCell = arena.allocateCounter()
    startCell = arena.allocateCounter()
    endingCell = arena.allocateCounter()
    loudEnd = arena.allocateCounter()
    hurryCell.pointee.store(FrameLimits.forever, ordering: .relaxed)
    startCell.pointee.store(FrameLimits.forever, ordering: .relaxed)
    endingCell.pointee.store(FrameLimits.forever, ordering: .relaxed)
  }

  var phase: CrossfadePhase {
    CrossfadePhase(rawValue: phaseCell.pointee.load(ordering: .acquiring)) ?? .waiting
  }

  /// The frame at which the render thread took the crossfade over.
  var startFrame: Int? { known(startCell) }

  /// The frame at which somebody's hurry ended what sounded on.
  var hurriedFrame: Int? { known(endingCell) }

  private func known(_ cell: UnsafeMutablePointer<Atomic<Int>>) -> Int? {
    let frame = cell.pointee.load(ordering: .acquiring)
    return frame == FrameLimits.forever ? nil : frame
  }

  /// Ends what sounds on at a frame, or at the end of the fade where that is later.
  func hurry(at frame: Int) { hurryCell.pointee.store(frame, ordering: .releasing) }

  // MARK: - Realtime

  /// Before a block that starts at a frame.
  @_noLocks
  func startBlock(at frame: Int) {
    let timing = state.pointee.timing
    if state.pointee.start == FrameLimits.forever {
      state.pointee.start = frame
      state.pointee.fadeStart = frame &+ timing.warmUp
      state.pointee.fadeEnd = frame &+ timing.warmUp &+ timing.fade
      loudEnd.pointee.store(state.pointee.fadeEnd, ordering: .relaxed)
      let longest = timing.ringsOut ? timing.longest : 0
      state.pointee.ringingEnd = state.pointee.fadeEnd &+ longest
      state.pointee.end = state.pointee.ringingEnd &+ (timing.ringsOut ? timing.ending : 0)
      startCell.pointee.store(frame, ordering: .releasing)
    }
    guard frame >= state.pointee.fadeEnd, frame < state.pointee.ringingEnd else { return }
    if hurryCell.pointee.load(ordering: .acquiring) <= frame {
      state.pointee.ringingEnd = frame
      state.pointee.end = frame &+ timing.hurriedEnding
      endingCell.pointee.store(frame, ordering: .releasing)
    } else if frame &- loudEnd.pointee.load(ordering: .relaxed) >= timing.hold {
      state.pointee.ringingEnd = frame
      state.pointee.end = frame &+ timing.ending
    }
  }

  /// After a block, `frame` being the one behind it.
  @_noLocks
  func endBlock(at frame: Int) {
    let state = state.pointee
    var phase = 1
    if frame >= state.fadeStart { phase = 2 }
    if frame >= state.fadeEnd {
      phase = 3
      if frame >= state.ringingEnd { phase = 4 }
      if frame >= state.end, frame >= state.fadeEnd &+ state.timing.settling { phase = 5 }
    }
    phaseCell.pointee.store(phase, ordering: .releasing)
  }

  /// Notes that what sounds on is heard until before a frame.
  @_noLocks
  func hear(until frame: Int) {
    loudEnd.pointee.max(frame, ordering: .relaxed)
  }

  /// Where a fade of so many frames stands at a frame: from 0 to 1 without a step, a bend or a change
  /// of curvature. (Perlin's fifth-order smoothstep, 2002.)
  @_noLocks @inline(__always)
  static func share(at index: Int, of frameCount: Int) -> Float {
    let time = Float(index &+ 1) / Float(frameCount &+ 1)
    return time * time * time * (time * (time * 6 - 15) + 10)
  }
}
