package import FxMedia
import Synchronization

/// What a transport does in one block with the sources that are read ahead. On the render thread.
struct TransportStep: BitwiseCopyable {
  /// Frames to take from each source.
  let takenCount: Int
  /// The fade position before the first frame: 0 is silent, `fadeLength + 1` is full level.
  let openness: Int
  let opens: Bool
  let fadeLength: Int
  /// Frames of the crossfade from the position of `leftJump` in this block, and frames of it done
  /// before.
  let leavingCount: Int
  let leavingDone: Int
  let leftJump: Int

  // MARK: - Realtime

  /// True if the sources are used without a fade.
  var isPlain: Bool {
    @_noLocks get { opens && openness > fadeLength && leavingCount == 0 }
  }

  /// Fades frames in or out.
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

  /// Crossfades linearly from the old frames to the new ones; the two gains add up to one.
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

/// Pauses, resumes and moves all sources together. On the render thread.
///
/// A pause fades out over the next frames, and a resumption continues after them. Nothing is lost
/// or played twice. During a jump the old position keeps playing until the new one has been read.
struct Transport: BitwiseCopyable {
  private let board: TransportBoard
  private let fadeLength: Int
  private var openness: Int
  private(set) var isPaused = false
  /// True when a pause or a resumption was requested at the latest block.
  private(set) var wasAskedToRoll = false
  private var leavingLeft = 0
  /// The number of the current jump.
  private var jumpNumber = 0
  private var jump = SourceJump(position: 0)
  private var hasPending = false
  private var pending = SourceJump(position: 0)
  private var pendingDrop = 0
  /// True while the old position has too few frames left and the new one is not ready.
  private var isHeld = false
  /// Frames that the sources have advanced since the jump.
  private var advance = 0
  private(set) var level: OutputLevel
  /// Frames of silence before a rest; -1 to never rest.
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

  /// True while a requested jump has not been made.
  var isJumping: Bool {
    @_noLocks get { hasPending }
  }

  var pendingNumber: Int {
    @_noLocks get { jumpNumber &+ 1 }
  }

  /// True when the sources are faded out.
  var isSilent: Bool {
    @_noLocks get { openness == 0 }
  }

  /// Receives requests and returns the step for this block. `hasEnded`: the sound is over and only
  /// its tail is left.
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
      // If the old position runs out before the new one is ready, fade out with its last frames.
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
    // A pause during the crossfade drops the rest of the old position.
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

  /// Switches to the new position when it is ready and can be joined.
  @_noLocks
  private mutating func change(at frame: Int, _ sources: SourceBank) {
    guard leavingLeft == 0, openness == 0 || openness > fadeLength,
      sources.isReady(forJump: pendingNumber)
    else { return }
    var next = pending
    // A source that ran dry before the meeting point does not wait for it: it continues at the new
    // position.
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

  /// After the end of the sound, jumps are ignored.
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

  /// Applies volume and mute to the played output.
  @_noLocks
  mutating func applyLevel(
    _ sources: UnsafePointer<UnsafePointer<Float>>,
    to targets: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int
  ) {
    level.apply(sources, to: targets, channelCount: channelCount, frameCount: frameCount)
  }
}

/// The initial state of a transport.
package struct TransportStart: Sendable, Hashable {
  /// The amplitude of the volume.
  package var amplitude: Float = 1
  /// Frames of silence before a rest; -1 for none.
  package var restFrameCount = -1
  /// The initial position of the sources.
  package var position = 0
  /// The initial loop of the sources.
  package var loop: SourceLoop?

  package init() {}
}
