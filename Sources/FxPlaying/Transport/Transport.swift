package import FxMedia
import Synchronization

/// One block of what a transport does with the sources that are read ahead. On the render thread.
struct TransportStep: BitwiseCopyable {
  /// Frames that are taken from each source.
  let takenCount: Int
  /// How open the sources are before the first frame: 0 is silent, `fadeLength + 1` fully open.
  let openness: Int
  let opens: Bool
  let fadeLength: Int
  /// Frames that go over from the place of `leftJump`, and how many have before them.
  let leavingCount: Int
  let leavingDone: Int
  let leftJump: Int

  // MARK: - Realtime

  /// True where the sources are taken as they are.
  var isPlain: Bool {
    @_noLocks get { opens && openness > fadeLength && leavingCount == 0 }
  }

  /// Fades frames as they come in or go out.
  @_noLocks
  func fade(_ samples: UnsafeMutablePointer<Float>, _ frameCount: Int) {
    if opens && openness > fadeLength { return }
    for frame in 0..<frameCount {
      let level = opens ? openness &+ frame &+ 1 : openness &- frame &- 1
      if level <= fadeLength {
        samples[frame] *= level > 0 ? Float(level) / Float(fadeLength &+ 1) : 0
      }
    }
  }

  /// Goes over from the frames that are left into those that are there: two lines that add up to one.
  @_noLocks
  func blend(
    _ left: UnsafePointer<Float>, _ leftCount: Int, into samples: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<leavingCount {
      let share = Float(leavingDone &+ frame &+ 1) / Float(fadeLength &+ 1)
      samples[frame] = samples[frame] * share + (frame < leftCount ? left[frame] * (1 - share) : 0)
    }
  }
}

/// Lets the sources go on, pause and jump, all of them together. On the render thread.
///
/// A pause fades out over the frames that come next and a resumption goes on behind them, so that
/// nothing is lost or heard twice. A jump plays on until the new place has been read.
struct Transport: BitwiseCopyable {
  private let board: TransportBoard
  private let fadeLength: Int
  private var openness: Int
  private(set) var isPaused = false
  /// True when a pause or a resumption was asked for at the latest block.
  private(set) var wasAskedToRoll = false
  private var leavingLeft = 0
  /// The jump that is taken from.
  private var jumpNumber = 0
  private var jump = SourceJump(position: 0)
  private var hasPending = false
  private var pending = SourceJump(position: 0)
  private var pendingDrop = 0
  /// Set while there is too little left to be heard until the new place is read.
  private var isHeld = false
  /// Frames that the sources have gone on since the jump.
  private var advance = 0
  private(set) var level: OutputLevel
  /// Frames of silence before a rest; -1 for none.
  private(set) var restFrameCount: Int

  init(_ board: TransportBoard, sampleRate: Double, _ start: TransportStart) {
    self.board = board
    fadeLength = TransportFade.frameCount(sampleRate: sampleRate)
    openness = fadeLength + 1
    level = OutputLevel(amplitude: start.amplitude)
    restFrameCount = start.restFrameCount
    jump = SourceJump(position: start.position, loop: start.loop)
  }

  // MARK: - Realtime

  /// True while the sources wait for another place to be read.
  var isJumping: Bool {
    @_noLocks get { hasPending }
  }

  var pendingNumber: Int {
    @_noLocks get { jumpNumber &+ 1 }
  }

  /// True when nothing comes from the sources.
  var isSilent: Bool {
    @_noLocks get { openness == 0 }
  }

  /// Hears what was asked and says what this block is. `hasEnded`: the sound is over and only its
  /// tail is left.
  @_noLocks
  mutating func step(
    frameCount: Int, at frame: Int, hasEnded: Bool, _ sources: SourceBank
  ) -> TransportStep {
    receive(at: frame)
    if hasEnded { endJumps() }
    if !hasPending {
      isHeld = false
    } else {
      change(at: frame, sources)
      // What is left to be heard before the new place is read fades out with its last frame.
      if !hasPending {
        isHeld = false
      } else if !isHeld {
        isHeld = sources.readableCount() < frameCount &+ fadeLength &+ 1
      }
    }
    let opens = !isPaused && !isHeld
    let before = openness
    var taken = frameCount
    if opens {
      let room = fadeLength &+ 1 &- openness
      openness = openness &+ (frameCount < room ? frameCount : room)
    } else {
      let left = openness > 0 ? openness &- 1 : 0
      taken = frameCount < left ? frameCount : left
      openness = openness &- taken
      if openness <= 1 { openness = 0 }
    }
    let leaving = frameCount < leavingLeft ? frameCount : leavingLeft
    let step = TransportStep(
      takenCount: taken, openness: before, opens: opens, fadeLength: fadeLength,
      leavingCount: leaving < taken ? leaving : taken, leavingDone: fadeLength &- leavingLeft,
      leftJump: jumpNumber &- 1)
    leavingLeft = leavingLeft &- leaving
    // A pause in the middle of it leaves the rest of the old place out.
    if openness == 0 { leavingLeft = 0 }
    advance = advance &+ taken
    board.set(
      position: jump.position(after: advance),
      advance: advance)
    if leavingLeft == 0 { board.settle(jumpNumber) }
    return step
  }

  @_noLocks
  private mutating func receive(at frame: Int) {
    wasAskedToRoll = false
    while let asked = board.asked.take() {
      switch asked.change {
      case .pause:
        isPaused = true
        wasAskedToRoll = true
      case .resume:
        isPaused = false
        wasAskedToRoll = true
      case .jump(let jump):
        pending = jump
        hasPending = true
        pendingDrop = 0
        continue
      case .volume(let amplitude, let frameCount):
        level.setAmplitude(amplitude, frameCount: frameCount)
      case .mute(let isMuted, let frameCount): level.setMuted(isMuted, frameCount: frameCount)
      case .rest(let frameCount): restFrameCount = frameCount
      case .rested, .woken: continue
      }
      _ = board.applied.push(asked.change, at: frame)
    }
  }

  /// Takes the new place where it is ready and can be joined.
  @_noLocks
  private mutating func change(at frame: Int, _ sources: SourceBank) {
    guard leavingLeft == 0, openness == 0 || openness > fadeLength,
      sources.isReady(forJump: pendingNumber)
    else { return }
    var next = pending
    // What has run dry on its way to the meeting goes on behind it.
    if next.meeting >= 0, !isHeld || advance >= next.meeting {
      let late = advance &- next.meeting
      guard late >= 0 else { return }
      pendingDrop = pendingDrop &+ sources.drop(late &- pendingDrop, ofJump: pendingNumber)
      guard pendingDrop == late else { return }
    }
    let here = jump.position(after: advance)
    let there = next.position(after: pendingDrop)
    next.isFaded = openness > 0 && here != there
    leavingLeft = next.isFaded ? fadeLength : 0
    jumpNumber = jumpNumber &+ 1
    sources.switchTo(jump: jumpNumber)
    jump = next
    advance = pendingDrop
    hasPending = false
    var applied = next
    applied.position = there
    _ = board.applied.push(.jump(applied), at: frame)
  }

  /// Behind the end of the sound there is no way back.
  @_noLocks
  private mutating func endJumps() {
    guard hasPending else { return }
    hasPending = false
    jumpNumber = jumpNumber &+ 1
    board.settle(jumpNumber)
  }

  @_noLocks
  func report(_ change: TransportChange, at frame: Int) {
    _ = board.applied.push(change, at: frame)
  }

  @_noLocks
  func noteEnd() { board.noteEnd() }

  @_noLocks
  mutating func skipLevel(_ frameCount: Int) { level.skip(frameCount) }

  /// Multiplies what is heard.
  @_noLocks
  mutating func applyLevel(
    _ sources: UnsafePointer<UnsafePointer<Float>>,
    to targets: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int
  ) {
    level.apply(sources, to: targets, channelCount: channelCount, frameCount: frameCount)
  }
}

/// How a transport begins.
package struct TransportStart: Sendable, Hashable {
  /// Of what is heard, multiplied.
  package var amplitude: Float = 1
  /// Frames of silence before a rest; -1 for none.
  package var restFrameCount = -1
  /// Where the sources were made to begin.
  package var position = 0
  /// What the sources go round in, as they were made.
  package var loop: SourceLoop?

  package init() {}
}
