import FxAudio

/// A change that the control thread sends to the render thread.
struct Command: BitwiseCopyable {
  let node: Int32
  let parameter: Int32
  /// As the unit receives it.
  let value: Float
  /// Frames that the change takes; below zero for the parameter's own smoothing.
  let frameCount: Int32
  /// The value in the chain's unit of measure, for reports of applied changes.
  let written: Double
  /// The absolute frame at which it took effect, the start of a block. Set by the render thread.
  var frame = 0
}

/// Commands from the control thread to the render thread, and back when they have taken effect.
struct CommandRing: BitwiseCopyable {
  private static let usualCapacity = 1024
  private let capacity: Int
  private let slots: UnsafeMutablePointer<Command>
  private let positions: RingPositions
  /// Commands taken back so far. Only the sender uses it.
  private let returned: UnsafeMutablePointer<Int>

  /// The ring is in the program's memory. It has space for the usual number in addition to `count`.
  init(in arena: inout Arena, atLeast count: Int) {
    var capacity = Self.usualCapacity
    while count > 0, capacity < count + Self.usualCapacity { capacity <<= 1 }
    self.capacity = capacity
    slots = arena.allocate(
      Command.self, count: capacity,
      repeating: Command(node: 0, parameter: 0, value: 0, frameCount: -1, written: 0))
    positions = RingPositions(
      slotCount: capacity, head: arena.allocateCounter(), tail: arena.allocateCounter())
    returned = arena.allocate(Int.self, count: 1, repeating: 0)
  }

  /// False when the ring is full.
  func send(_ command: Command) -> Bool {
    let slot = positions.freeSlot
    guard slot >= 0 else { return false }
    // Applied commands that nobody took back are dropped.
    if positions.producedCount - returned.pointee >= capacity { returned.pointee += 1 }
    slots[slot] = command
    positions.produce()
    return true
  }

  /// The next command that has taken effect; each is returned once. On the sender's thread.
  func takeBack() -> Command? {
    guard returned.pointee < positions.consumedCount else { return nil }
    defer { returned.pointee += 1 }
    return slots[positions.slot(returned.pointee)]
  }

  // MARK: - Realtime

  /// True when a command is waiting.
  var isWaiting: Bool {
    @_noLocks get { positions.filledSlot >= 0 }
  }

  /// Commands that have taken effect so far. On the receiver's thread.
  var receivedCount: Int {
    @_noLocks get { positions.takenCount }
  }

  /// The oldest waiting command. It takes effect at an absolute frame.
  @_noLocks
  func receive(at frame: Int) -> Command? {
    let index = positions.filledSlot
    guard index >= 0 else { return nil }
    let slot = slots + index
    slot.pointee.frame = frame
    let command = slot.pointee
    positions.consume()
    return command
  }
}
