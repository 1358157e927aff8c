import Synchronization

/// A change that the control thread asks of the render thread.
struct Command: BitwiseCopyable {
  let node: Int32
  let parameter: Int32
  /// As the unit receives it.
  let value: Float
}

/// Commands from the control thread to the render thread. One sender, one receiver.
///
/// `head` is written by the sender alone, `tail` by the receiver alone, on cache lines of their own;
/// a slot is touched by one side at a time, handed over by release and acquire.
struct CommandRing: BitwiseCopyable {
  private static let usualCapacity = 1024
  private let capacity: Int
  private let slots: UnsafeMutablePointer<Command>
  private let head: UnsafeMutablePointer<Atomic<Int>>
  private let tail: UnsafeMutablePointer<Atomic<Int>>

  /// The ring lives in the program's memory, and has room for the usual number beside `count`.
  init(in arena: inout Arena, atLeast count: Int) {
    var capacity = Self.usualCapacity
    while count > 0, capacity < count + Self.usualCapacity { capacity <<= 1 }
    self.capacity = capacity
    slots = arena.allocate(
      Command.self, count: capacity, repeating: Command(node: 0, parameter: 0, value: 0))
    head = arena.allocateCounter()
    tail = arena.allocateCounter()
  }

  /// False when the ring is full.
  func send(_ command: Command) -> Bool {
    let position = head.pointee.load(ordering: .relaxed)
    guard position - tail.pointee.load(ordering: .acquiring) < capacity else { return false }
    slots[position & (capacity - 1)] = command
    head.pointee.store(position + 1, ordering: .releasing)
    return true
  }

  // MARK: - Realtime

  /// The oldest command that has not been taken.
  @_noLocks
  func receive() -> Command? {
    let position = tail.pointee.load(ordering: .relaxed)
    guard position < head.pointee.load(ordering: .acquiring) else { return nil }
    let command = slots[position & (capacity - 1)]
    tail.pointee.store(position + 1, ordering: .releasing)
    return command
  }
}
