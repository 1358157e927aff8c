import Synchronization

/// MIDI on its way from the thread that hears it to the render thread. One sender, one receiver; a
/// message that finds the ring full is dropped and counted.
package final class MIDIInbox: Sendable {
  package let ring = MIDIRing()

  package init() {}

  deinit { ring.destroy() }

  /// Hands a message over with the time at which it came, in seconds of the monotonic clock.
  package func send(_ bytes: [UInt8], at seconds: Double) {
    guard (1...3).contains(bytes.count) else { return }
    ring.push(
      MIDIRing.Message(
        seconds: seconds,
        bytes: (bytes[0], bytes.count > 1 ? bytes[1] : 0, bytes.count > 2 ? bytes[2] : 0),
        size: UInt8(bytes.count)))
  }

  /// Messages that were dropped because nobody took them in time.
  package var droppedCount: Int { ring.droppedCount }
}

/// The memory of an inbox, as its two threads see it.
package struct MIDIRing: @unchecked Sendable, BitwiseCopyable {
  // Sendable: a slot is touched by one side at a time, handed over by release and acquire.
  package struct Message: BitwiseCopyable {
    /// When it came, by the monotonic clock.
    package let seconds: Double
    package let bytes: (UInt8, UInt8, UInt8)
    /// 1 to 3.
    package let size: UInt8
  }

  private static let capacity = 1024
  private let slots: UnsafeMutablePointer<Message>
  private let head: UnsafeMutablePointer<Atomic<Int>>
  private let tail: UnsafeMutablePointer<Atomic<Int>>
  private let dropped: UnsafeMutablePointer<Atomic<Int>>

  fileprivate init() {
    slots = .allocate(capacity: Self.capacity)
    slots.initialize(
      repeating: Message(seconds: 0, bytes: (0, 0, 0), size: 0), count: Self.capacity)
    head = .allocate(capacity: 1)
    head.initialize(to: Atomic(0))
    tail = .allocate(capacity: 1)
    tail.initialize(to: Atomic(0))
    dropped = .allocate(capacity: 1)
    dropped.initialize(to: Atomic(0))
  }

  fileprivate func destroy() {
    slots.deallocate()
    for counter in [head, tail, dropped] {
      counter.deinitialize(count: 1)
      counter.deallocate()
    }
  }

  fileprivate var droppedCount: Int { dropped.pointee.load(ordering: .relaxed) }

  fileprivate func push(_ message: Message) {
    let position = head.pointee.load(ordering: .relaxed)
    guard position - tail.pointee.load(ordering: .acquiring) < Self.capacity else {
      dropped.pointee.wrappingAdd(1, ordering: .relaxed)
      return
    }
    slots[position & (Self.capacity - 1)] = message
    head.pointee.store(position + 1, ordering: .releasing)
  }

  // MARK: - Realtime

  /// The oldest message that came before a time; nil when there is none.
  @_noLocks
  package func receive(before seconds: Double) -> Message? {
    let position = tail.pointee.load(ordering: .relaxed)
    guard position < head.pointee.load(ordering: .acquiring) else { return nil }
    let message = slots[position & 1023]
    guard message.seconds < seconds else { return nil }
    tail.pointee.store(position + 1, ordering: .releasing)
    return message
  }
}
