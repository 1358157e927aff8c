import FxAudio

/// A queue of changes from one thread to another. A view; its creator destroys it.
struct TransportRing: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the ring positions decide which thread owns a slot.
  private static let slotCount = 256
  private let slots: UnsafeMutablePointer<AppliedTransportChange>
  private let positions: RingPositions

  static func make() -> TransportRing {
    let slots = UnsafeMutablePointer<AppliedTransportChange>.allocate(capacity: slotCount)
    slots.initialize(
      repeating: AppliedTransportChange(frame: 0, change: .resume), count: slotCount)
    return TransportRing(slots: slots, positions: .make(slotCount: slotCount))
  }

  func destroy() {
    slots.deallocate()
    positions.destroy()
  }

  // MARK: - Realtime

  /// False when it is full.
  @_noLocks
  func push(_ change: TransportChange, at frame: Int) -> Bool {
    let slot = positions.freeSlot
    guard slot >= 0 else { return false }
    (slots + slot).initialize(to: AppliedTransportChange(frame: frame, change: change))
    positions.produce()
    return true
  }

  @_noLocks
  func take() -> AppliedTransportChange? {
    let slot = positions.filledSlot
    guard slot >= 0 else { return nil }
    let change = slots[slot]
    positions.consume()
    return change
  }
}
