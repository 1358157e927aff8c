package import Synchronization

/// The positions of a lock-free ring: one producer thread and one consumer thread. A full ring
/// accepts no values.
///
/// The ring's owner keeps the slots, because the compiler does not check generic code for locks.
/// Only its own thread writes a position, and each position has its own cache line. Only one side
/// at a time accesses a slot; release and acquire hand it over. This is a view: its maker destroys
/// it once both sides are done.
package struct RingPositions: BitwiseCopyable, @unchecked Sendable {
  // Sendable: see above.
  private let head: UnsafeMutablePointer<Atomic<Int>>
  private let tail: UnsafeMutablePointer<Atomic<Int>>
  /// One less than the number of slots, a power of two.
  private let mask: Int

  /// Positions in memory that the caller owns: two counters at 0.
  package init(
    slotCount: Int, head: UnsafeMutablePointer<Atomic<Int>>,
    tail: UnsafeMutablePointer<Atomic<Int>>
  ) {
    precondition(slotCount > 0 && slotCount & (slotCount - 1) == 0, "not a power of two")
    self.head = head
    self.tail = tail
    mask = slotCount - 1
  }

  /// Positions that own their memory.
  package static func make(slotCount: Int) -> RingPositions {
    RingPositions(slotCount: slotCount, head: counter(), tail: counter())
  }

  private static func counter() -> UnsafeMutablePointer<Atomic<Int>> {
    let line = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
    let counter = line.bindMemory(to: Atomic<Int>.self, capacity: 1)
    counter.initialize(to: Atomic(0))
    return counter
  }

  /// Frees the memory of positions that were made with `make`.
  package func destroy() {
    for counter in [head, tail] {
      counter.deinitialize(count: 1)
      UnsafeMutableRawPointer(counter).deallocate()
    }
  }

  /// Values produced so far. On the producer's thread.
  package var producedCount: Int { head.pointee.load(ordering: .relaxed) }

  /// Values consumed so far. On the producer's thread.
  package var consumedCount: Int { tail.pointee.load(ordering: .acquiring) }

  /// The slot of a value by its number, counted from 0.
  package func slot(_ number: Int) -> Int { number & mask }

  // MARK: - Realtime

  /// The slot for the next value; -1 when the ring is full. On the producer's thread.
  package var freeSlot: Int {
    @_noLocks get {
      let position = head.pointee.load(ordering: .relaxed)
      return position &- tail.pointee.load(ordering: .acquiring) <= mask ? position & mask : -1
    }
  }

  /// Publishes the value in the free slot. On the producer's thread.
  @_noLocks
  package func produce() {
    head.pointee.store(head.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// The slot of the oldest value; -1 when there is none. On the consumer's thread.
  package var filledSlot: Int {
    @_noLocks get {
      let position = tail.pointee.load(ordering: .relaxed)
      return position == head.pointee.load(ordering: .acquiring) ? -1 : position & mask
    }
  }

  /// Values consumed so far. On the consumer's thread.
  package var takenCount: Int {
    @_noLocks get { tail.pointee.load(ordering: .relaxed) }
  }

  /// Frees the slot of the oldest value. On the consumer's thread.
  @_noLocks
  package func consume() {
    tail.pointee.store(tail.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }
}
