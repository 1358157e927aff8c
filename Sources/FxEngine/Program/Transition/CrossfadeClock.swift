import Synchronization

/// The lengths of the parts of a crossfade from one chain to another, in frames.
struct CrossfadeTiming: BitwiseCopyable {
  /// The short fade-in of the output of new nodes with a tail, whose input fades in later. It hides
  /// noise at the start of a unit.
  var opening: Int
  /// Frames that the new nodes process before they fade in.
  var warmUp: Int
  var fade: Int
  /// False where no removed node can sound on.
  var ringsOut: Bool
  /// Removed nodes have ended after this much silence.
  var hold: Int
  /// The longest time that removed nodes may sound on.
  var longest: Int
  /// The fade-out of nodes that still sound then, and the shorter one after `hurry`.
  var ending: Int
  var hurriedEnding: Int
  /// From the fade until the new delay lines hold nothing but the new chain's signals.
  var settling: Int
  /// Parameter changes that are sent with the crossfade.
  var commandCount: Int
}

/// The phase of a crossfade.
package enum CrossfadePhase: Int, Sendable {
  /// The render thread has not taken it yet.
  case waiting
  /// The new nodes receive input, but their output is not played yet.
  case warmingUp
  case fading
  /// Removed nodes are still sounding.
  case ringingOut
  /// Removed nodes fade out; delays fill.
  case ending
  case over
}

/// The times of a crossfade as a render sees them. All fades read this one clock, so they are in
/// step at every frame. The times depend on the frame at which the crossfade began and on what
/// sounded, not on the block sizes.
struct CrossfadeClock: BitwiseCopyable {
  struct State: BitwiseCopyable {
    let timing: CrossfadeTiming
    var start = FrameLimits.forever
    /// The fade at the end of the chain. A fade before it starts earlier, by the delay to the end.
    var fadeStart = FrameLimits.forever
    var fadeEnd = FrameLimits.forever
    /// When the nodes that sound on begin to fade out, and when they have ended.
    var ringingEnd = FrameLimits.forever
    var end = FrameLimits.forever
  }

  let state: UnsafeMutablePointer<State>
  private let phaseCell: UnsafeMutablePointer<Atomic<Int>>
  private let hurryCell: UnsafeMutablePointer<Atomic<Int>>
  private let startCell: UnsafeMutablePointer<Atomic<Int>>
  private let endingCell: UnsafeMutablePointer<Atomic<Int>>
  /// One past the last frame at which a removed node was above -90 dB. Several tasks write it in
  /// parallel.
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

  /// The frame at which the render thread took the crossfade.
  var startFrame: Int? { known(startCell) }

  /// The frame at which `hurry` ended the nodes that sounded on.
  var hurriedFrame: Int? { known(endingCell) }

  private func known(_ cell: UnsafeMutablePointer<Atomic<Int>>) -> Int? {
    let frame = cell.pointee.load(ordering: .acquiring)
    return frame == FrameLimits.forever ? nil : frame
  }

  /// Ends the nodes that sound on at a frame, or at the end of the fade if that is later.
  func hurry(at frame: Int) { hurryCell.pointee.store(frame, ordering: .releasing) }

  // MARK: - Realtime

  /// Called before a block that starts at a frame.
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

  /// Called after a block; `frame` is the first one after it.
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

  /// Records that a removed node is audible until before a frame.
  @_noLocks
  func hear(until frame: Int) {
    loudEnd.pointee.max(frame, ordering: .relaxed)
  }

  /// The progress of a fade of `frameCount` frames, from 0 to 1, with continuous slope and
  /// curvature. (Perlin's fifth-order smoothstep, 2002.)
  @_noLocks @inline(__always)
  static func share(at index: Int, of frameCount: Int) -> Float {
    let time = Float(index &+ 1) / Float(frameCount &+ 1)
    return time * time * time * (time * (time * 6 - 15) + 10)
  }
}
