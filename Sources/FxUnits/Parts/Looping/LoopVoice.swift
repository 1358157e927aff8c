/// How a loop is played.
struct LoopMotion: BitwiseCopyable {
  var isHalfSpeed = false
  var isReversed = false

  // MARK: - Realtime

  @_noLocks
  init(isHalfSpeed: Bool, isReversed: Bool) {
    self.isHalfSpeed = isHalfSpeed
    self.isReversed = isReversed
  }

  @_noLocks
  func isSame(as other: LoopMotion) -> Bool {
    isHalfSpeed == other.isHalfSpeed && isReversed == other.isReversed
  }
}

/// Where a loop lies in its memory.
struct LoopRegion: BitwiseCopyable {
  var start = 0
  /// In frames.
  var length = 0

  // MARK: - Realtime

  @_noLocks
  init(start: Int, length: Int) {
    self.start = start
    self.length = length
  }

  /// The place in a ring of the frame after the last one.
  @_noLocks
  func end(capacity: Int) -> Int {
    let place = start &+ length
    return place >= capacity ? place &- capacity : place
  }

  /// The place in a ring of a frame of the loop, which may be up to one loop before its first frame
  /// or after its last.
  @_noLocks @inline(__always)
  func place(_ frame: Int, capacity: Int) -> Int {
    let inside = frame < 0 ? frame &+ length : frame >= length ? frame &- length : frame
    let place = start &+ inside
    return place >= capacity ? place &- capacity : place
  }
}

/// A reading and writing position in a loop, with fades of its own.
///
/// A change of position, speed or direction begins a new voice, while the one before fades out.
struct LoopVoice: BitwiseCopyable {
  let region: LoopRegion
  let motion: LoopMotion
  /// In halves of a frame.
  private(set) var position: Int
  /// The steps of its fades: of what is heard, and of what is written.
  private(set) var level = 0
  private(set) var writeLevel = 0
  var isRising = true

  // MARK: - Realtime

  /// - Parameter position: In halves of a frame. At full speed it is a whole frame.
  @_noLocks
  init(_ region: LoopRegion, _ motion: LoopMotion, position: Int) {
    self.region = region
    self.motion = motion
    self.position = motion.isHalfSpeed ? position : position & ~1
  }

  var isActive: Bool { @_noLocks get { isRising || level > 0 || writeLevel > 0 } }

  /// The frame whose samples it overdubs now; nil for none. At half speed the input is filtered, so
  /// it is written late, to the frame that was heard with it.
  var writtenFrame: Int? {
    @_noLocks get {
      guard motion.isHalfSpeed else { return position / 2 }
      guard position & 1 == 0 else { return nil }
      let lag = LoopInput.halvedAge / 2
      let frame = motion.isReversed ? position / 2 &+ lag : position / 2 &- lag
      return frame < 0
        ? frame &+ region.length
        : frame >= region.length ? frame &- region.length : frame
    }
  }

  /// Moves on by one frame of sound.
  @_noLocks
  mutating func advance(writes: Bool, fade: Int) {
    let step = motion.isHalfSpeed ? 1 : 2
    let end = 2 &* region.length
    position = motion.isReversed ? position &- step : position &+ step
    if position < 0 { position &+= end } else if position >= end { position &-= end }
    level = isRising ? min(level &+ 1, fade) : max(level &- 1, 0)
    writeLevel = writes ? min(writeLevel &+ 1, fade) : max(writeLevel &- 1, 0)
  }
}
