package import Synchronization

/// How far the two threads of a ring of values are: one producer, one consumer, no lock. A full ring
/// takes nothing.
///
/// The values lie in slots that the ring's owner has: the compiler checks no generic code for locks. A
/// position is written by its own thread alone, on a cache line of its own; a slot is touched by one
/// side at a time, handed over by release and acquire. A view: who made it destroys it once both sides
/// are done.
package struct RingPositions: BitwiseCopyable, @unchecked Sendable {
  // Sendable: see above.
  private let head: UnsafeMutablePointer<Atomic<Int>>
  private let tail: UnsafeMutablePointer<Atomic<Int>>
  /// One less than the number of slots, a power of two.
  private let mask: Int

  /// Positions in memory that somebody else owns: two counters at 0.
  package init(
    slotCount: Int, head: UnsafeMutablePointer<Atomic<Int>>,
    tail: UnsafeMutablePointer<Atomic<Int>>
  ) {
    precondition(slotCount > 0 && slotCount & (slotCount - 1) == 0, "not a power of two")
    self.head = head
    self.tail = tail
    mask = slotCount - 1
  }

  /// Positions in memory of their own.
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

  /// Values that were put in so far, on the producer's thread.
  package var producedCount: Int { head.pointee.load(ordering: .relaxed) }

  /// Values that were taken out so far, on the producer's thread.
  package var consumedCount: Int { tail.pointee.load(ordering: .acquiring) }

  /// The slot of the value of a number, counted from 0.
  package func slot(_ number: Int) -> Int { number & mask }

  // MARK: - Realtime

  /// The slot that the next value goes to; -1 when the ring is full. On the producer's thread.
  package var freeSlot: Int {
    @_noLocks get {
      let position = head.pointee.load(ordering: .relaxed)
      return position &- tail.pointee.load(ordering: .acquiring) <= mask ? position & mask : -1
    }
  }

  /// Hands the free slot over, with the value in it. On the producer's thread.
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

  /// Values that were taken out so far, on the consumer's thread.
  package var takenCount: Int {
    @_noLocks get { tail.pointee.load(ordering: .relaxed) }
  }

  /// Hands the oldest value's slot back. On the consumer's thread.
  @_noLocks
  package func consume() {
    tail.pointee.store(tail.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }
}
