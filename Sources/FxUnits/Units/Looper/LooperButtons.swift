import FxAudio

/// The presses of a looper's buttons: parameters that are `true` while a button is down.
struct LooperButtons: BitwiseCopyable {
  /// In the order of the parameters.
  enum Button: BitwiseCopyable {
    case none, pedal, record, play, overdub, stop, undo, clear
  }

  /// True if a change to `false` is a press too.
  private let takesReleases: Bool
  /// A bit for each button that is down, and for the switches after them.
  private var states: UInt16 = 0
  /// The buttons that are pressed at this frame, and not taken yet.
  private var presses: UInt16 = 0

  init(takesReleases: Bool) { self.takesReleases = takesReleases }

  // MARK: - Realtime

  /// Buttons, and the switches `halfSpeed` and `reverse`.
  private static var count: Int { @_noLocks get { 9 } }

  @_noLocks
  private static func states(_ block: RenderBlock, at frame: Int) -> UInt16 {
    var states: UInt16 = 0
    for index in 0..<count where block.parameters[index][frame] >= 0.5 {
      states |= 1 &<< UInt16(index)
    }
    return states
  }

  /// True if the first frame of a block changes nothing.
  @_noLocks
  func isUnchanged(_ block: RenderBlock) -> Bool { Self.states(block, at: 0) == states }

  /// Reads the buttons at a frame.
  @_noLocks
  mutating func read(_ block: RenderBlock, at frame: Int) {
    let now = Self.states(block, at: frame)
    presses = takesReleases ? now ^ states : now & ~states
    states = now
  }

  /// True while a press of this frame is not taken.
  var hasPress: Bool { @_noLocks get { presses & 127 != 0 } }

  /// The next press of this frame; `none` when all are taken.
  @_noLocks
  mutating func takePress() -> Button {
    if take(0) { return .pedal }
    if take(1) { return .record }
    if take(2) { return .play }
    if take(3) { return .overdub }
    if take(4) { return .stop }
    if take(5) { return .undo }
    return take(6) ? .clear : .none
  }

  @_noLocks
  private mutating func take(_ index: UInt16) -> Bool {
    let bit = 1 &<< index
    let isPressed = presses & bit != 0
    presses &= ~bit
    return isPressed
  }

  /// True while `stop` is down.
  var holdsStop: Bool { @_noLocks get { states & (1 &<< 4) != 0 } }

  /// The state of the switches.
  var motion: LoopMotion {
    @_noLocks get {
      LoopMotion(
        isHalfSpeed: states & (1 &<< 7) != 0, isReversed: states & (1 &<< 8) != 0)
    }
  }

  /// The first frame in a range at which a button or a switch changes, or the end of the range.
  @_noLocks
  func nextChange(_ block: RenderBlock, from first: Int, to end: Int) -> Int {
    var isConstant = true
    for index in 0..<Self.count where !block.parameters[index].isConstant { isConstant = false }
    guard !isConstant else { return end }
    var frame = first
    while frame < end, Self.states(block, at: frame) == states { frame &+= 1 }
    return frame
  }

  @_noLocks
  mutating func reset() {
    states = 0
    presses = 0
  }
}
