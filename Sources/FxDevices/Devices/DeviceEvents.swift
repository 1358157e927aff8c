import FxAudio

/// Why the render thread served a device too late.
package enum LateCause: BitwiseCopyable, Sendable, Hashable {
  /// The chain took longer than its block lasts.
  case slowChain
  /// fxrun was changing the chain.
  case chainChange
  /// The system or the device; the chain was in time.
  case system
}

/// What happened to a sound device, as the render thread saw it.
package enum DeviceEvent: BitwiseCopyable, Sendable, Hashable {
  /// It ran dry, or over.
  case xrun(DeviceDirection, LateCause)
  /// It was served later than its buffer lasts, by so many milliseconds, and reported no xrun.
  case gap(DeviceDirection, LateCause, milliseconds: Int)
  /// The system slept, or the device did; for so many seconds.
  case suspended(seconds: Double)
  /// It failed or stood still, and goes on after it was started anew; the code is alsa-lib's.
  case restarted(DeviceDirection, code: Int32)
  /// It is gone; the code is alsa-lib's. It is waited for, or playing ends.
  case lost(DeviceDirection, code: Int32)
  /// It is there again, after so many seconds. `convertedFrom` is its own rate where alsa-lib has to
  /// convert it to the chain's, and 0 where it does not.
  case returned(seconds: Double, convertedFrom: Double = 0)
  /// It is there again at a rate that nothing converts to the chain's; it is waited for.
  case unusable(rate: Double)

  /// This event and the next as one; nil where they are not the same. Of gaps the longer one.
  package func merged(with next: DeviceEvent) -> DeviceEvent? {
    if case .gap(let direction, let cause, let milliseconds) = self,
      case .gap(direction, cause, let others) = next
    {
      return .gap(direction, cause, milliseconds: max(milliseconds, others))
    }
    return self == next ? self : nil
  }
}

/// Events on their way from the render thread to the control thread. A full ring drops.
///
/// A view; the device destroys it.
struct DeviceEvents: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the positions say which thread a slot belongs to.
  private static let slotCount = 256
  private let slots: UnsafeMutablePointer<DeviceEvent>
  private let positions: RingPositions

  static func make() -> DeviceEvents {
    let slots = UnsafeMutablePointer<DeviceEvent>.allocate(capacity: slotCount)
    slots.initialize(repeating: .suspended(seconds: 0), count: slotCount)
    return DeviceEvents(slots: slots, positions: .make(slotCount: slotCount))
  }

  func destroy() {
    slots.deallocate()
    positions.destroy()
  }

  /// The oldest event; nil when there is none.
  func next() -> DeviceEvent? {
    let slot = positions.filledSlot
    guard slot >= 0 else { return nil }
    let event = slots[slot]
    positions.consume()
    return event
  }

  // MARK: - Realtime

  @_noLocks
  func push(_ event: DeviceEvent) {
    let slot = positions.freeSlot
    guard slot >= 0 else { return }
    slots[slot] = event
    positions.produce()
  }
}
