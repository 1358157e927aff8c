import FxAudio

/// The reason why the render thread serviced a device too late.
package enum LateCause: BitwiseCopyable, Sendable, Hashable {
  /// The chain took longer than the duration of its block.
  case slowChain
  /// fxrun was changing the chain.
  case chainChange
  /// fxrun waited for a source that was not ready.
  case lateSource
  /// The system or the device delayed it; the chain was in time.
  case system
}

/// An event of a sound device, as the render thread detected it.
package enum DeviceEvent: BitwiseCopyable, Sendable, Hashable {
  /// An underrun or overrun.
  case xrun(DeviceDirection, LateCause)
  /// It was serviced later than its buffer lasts, by this many milliseconds, but reported no xrun.
  case gap(DeviceDirection, LateCause, milliseconds: Int)
  /// The system or the device was suspended, for this many seconds.
  case suspended(seconds: Double)
  /// It failed or stalled, and runs again after a restart; `code` is alsa-lib's.
  case restarted(DeviceDirection, code: Int32)
  /// It is gone; `code` is alsa-lib's. fxrun waits for it, or playing ends.
  case lost(DeviceDirection, code: Int32)
  /// It is back, after this many seconds.
  case returned(seconds: Double, change: DeviceChange = DeviceChange())
  /// It is back, but cannot be used even with alsa-lib's conversion; fxrun keeps waiting.
  case unusable(DeviceChange)

  /// This event and the next as one event; nil where they differ. Of two gaps, the longer one.
  package func merged(with next: DeviceEvent) -> DeviceEvent? {
    if case .gap(let direction, let cause, let milliseconds) = self,
      case .gap(direction, cause, let others) = next
    {
      return .gap(direction, cause, milliseconds: max(milliseconds, others))
    }
    return self == next ? self : nil
  }
}

/// How a device that is back differs from before; 0 for what is the same or unknown.
package struct DeviceChange: BitwiseCopyable, Sendable, Hashable {
  /// Hz.
  package var sampleRate = 0.0
  /// Channels of the playing end.
  package var channelCount = 0
  /// Channels of the recording end.
  package var recordedChannelCount = 0

  package init(sampleRate: Double = 0, channelCount: Int = 0, recordedChannelCount: Int = 0) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.recordedChannelCount = recordedChannelCount
  }
}

/// A ring of events from the render thread to the control thread. A full ring drops new events.
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
