import Synchronization

/// Changes from one thread to another, without locks. One sender, one receiver; a full ring takes
/// nothing. A view; who made it destroys it.
struct TransportRing: BitwiseCopyable, @unchecked Sendable {
  // Sendable: a slot is touched by one side at a time, handed over by release and acquire.
  private struct Counters: ~Copyable {
    let head = Atomic<Int>(0)
    let tail = Atomic<Int>(0)
  }

  private static var capacity: Int {
    @_noLocks get { 256 }
  }
  private let slots: UnsafeMutablePointer<AppliedTransportChange>
  private let counters: UnsafeMutablePointer<Counters>

  static func make() -> TransportRing {
    let slots = UnsafeMutablePointer<AppliedTransportChange>.allocate(capacity: capacity)
    slots.initialize(
      repeating: AppliedTransportChange(frame: 0, change: .resume), count: capacity)
    let counters = UnsafeMutablePointer<Counters>.allocate(capacity: 1)
    counters.initialize(to: Counters())
    return TransportRing(slots: slots, counters: counters)
  }

  func destroy() {
    slots.deallocate()
    counters.deinitialize(count: 1)
    counters.deallocate()
  }

  // MARK: - Realtime

  /// False when it is full.
  @_noLocks
  func push(_ change: TransportChange, at frame: Int) -> Bool {
    let head = counters.pointee.head.load(ordering: .relaxed)
    guard head &- counters.pointee.tail.load(ordering: .acquiring) < TransportRing.capacity else {
      return false
    }
    (slots + (head & (TransportRing.capacity &- 1))).initialize(
      to: AppliedTransportChange(frame: frame, change: change))
    counters.pointee.head.store(head &+ 1, ordering: .releasing)
    return true
  }

  @_noLocks
  func take() -> AppliedTransportChange? {
    let tail = counters.pointee.tail.load(ordering: .relaxed)
    guard tail < counters.pointee.head.load(ordering: .acquiring) else { return nil }
    let change = slots[tail & (TransportRing.capacity &- 1)]
    counters.pointee.tail.store(tail &+ 1, ordering: .releasing)
    return change
  }
}
