import Synchronization

/// Transfers MIDI from the receiving thread to the render thread. One producer, one consumer.
///
/// Messages that find the ring full wait in a backlog for `flush`.
package final class MIDIInbox: Sendable {
  package let ring = MIDIRing()
  private let backlog = Mutex(MIDIBacklog())

  package init() {}

  deinit { ring.destroy() }

  /// Queues a message with its arrival time, in seconds of the monotonic clock.
  package func send(_ bytes: [UInt8], at seconds: Double) {
    guard let message = MIDIRing.Message(bytes, at: seconds) else { return }
    backlog.withLock { backlog in
      backlog.take(while: ring.push)
      if !backlog.isEmpty || !ring.push(message) { backlog.add(message) }
    }
  }

  /// Queues messages from the backlog. True when none is left; otherwise call it again soon.
  package func flush() -> Bool {
    backlog.withLock { backlog in
      backlog.take(while: ring.push)
      return backlog.isEmpty
    }
  }

  /// Messages that were dropped or replaced because the consumer was too slow.
  package var droppedCount: Int { backlog.withLock { $0.droppedCount } }
}

/// The ring of an inbox, for its two threads.
package struct MIDIRing: @unchecked Sendable, BitwiseCopyable {
  // Sendable: the positions decide which thread may access a slot.
  package struct Message: BitwiseCopyable {
    /// The arrival time on the monotonic clock.
    package let seconds: Double
    package let bytes: (UInt8, UInt8, UInt8)
    /// 1 to 3.
    package let size: UInt8
  }

  private static let slotCount = 1024
  private let slots: UnsafeMutablePointer<Message>
  private let positions = RingPositions.make(slotCount: slotCount)

  fileprivate init() {
    slots = .allocate(capacity: Self.slotCount)
    slots.initialize(
      repeating: Message(seconds: 0, bytes: (0, 0, 0), size: 0), count: Self.slotCount)
  }

  fileprivate func destroy() {
    slots.deallocate()
    positions.destroy()
  }

  /// False when the ring is full.
  fileprivate func push(_ message: Message) -> Bool {
    let slot = positions.freeSlot
    guard slot >= 0 else { return false }
    slots[slot] = message
    positions.produce()
    return true
  }

  // MARK: - Realtime

  /// The oldest message, if it arrived before a time; nil otherwise.
  @_noLocks
  package func receive(before seconds: Double) -> Message? {
    let slot = positions.filledSlot
    guard slot >= 0 else { return nil }
    let message = slots[slot]
    guard message.seconds < seconds else { return nil }
    positions.consume()
    return message
  }
}
