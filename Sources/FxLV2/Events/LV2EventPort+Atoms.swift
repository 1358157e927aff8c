import CLilv
import FxAudio

/// Writes events of any size to a port, and reads them from one.
extension LV2EventPort {
  // MARK: - Realtime

  /// Appends an event; ignored where it does not fit.
  @_noLocks
  func append(_ event: EventHeader, _ bytes: UnsafeRawPointer, at frame: Int, midiType: LV2_URID) {
    let type = event.type == EventHeader.midi ? midiType : event.type
    let padded = (event.size + 7) & ~7
    var target: UnsafeMutableRawPointer
    switch layout {
    case .sequence:
      guard let place = room(16 + padded) else { return }
      place.storeBytes(of: Int64(frame), as: Int64.self)
      (place + 8).storeBytes(of: UInt32(truncatingIfNeeded: event.size), as: UInt32.self)
      (place + 12).storeBytes(of: type, as: UInt32.self)
      target = place + 16
    case .eventBuffer:
      let used = Int((buffer + 20).load(as: UInt32.self))
      let stride = (12 + event.size + 7) & ~7
      guard LV2EventPort.eventHeaderSize + used + stride <= capacity, event.size < 1 << 16 else {
        return
      }
      let place = buffer + LV2EventPort.eventHeaderSize + used
      place.storeBytes(of: UInt32(truncatingIfNeeded: frame), as: UInt32.self)
      (place + 4).storeBytes(of: 0, as: UInt32.self)
      (place + 8).storeBytes(of: UInt16(truncatingIfNeeded: type), as: UInt16.self)
      (place + 10).storeBytes(of: UInt16(truncatingIfNeeded: event.size), as: UInt16.self)
      let count = (buffer + 12).load(as: UInt32.self)
      (buffer + 12).storeBytes(of: count &+ 1, as: UInt32.self)
      (buffer + 20).storeBytes(of: UInt32(truncatingIfNeeded: used + stride), as: UInt32.self)
      target = place + 12
    case .atom:
      return
    }
    for index in 0..<event.size {
      target.storeBytes(of: (bytes + index).load(as: UInt8.self), as: UInt8.self)
      target += 1
    }
  }

  /// Appends the events of an output's buffer to `given`; `offset` is the run's offset in the
  /// block. Stops at invalid data: plugins write this memory.
  @_noLocks
  func give(to given: EventBuffer, offset: Int, frameCount: Int, midiType: LV2_URID) {
    switch layout {
    case .sequence: giveSequence(to: given, offset, frameCount, midiType)
    case .eventBuffer: giveEventBuffer(to: given, offset, frameCount, midiType)
    case .atom: return
    }
  }

  @_noLocks
  private func giveSequence(
    to given: EventBuffer, _ offset: Int, _ frameCount: Int, _ midiType: LV2_URID
  ) {
    let size = Int(buffer.load(as: UInt32.self)) + 8
    // A plugin that writes nothing leaves the chunk unchanged.
    guard size >= 16, size <= capacity, (buffer + 4).load(as: UInt32.self) != type else { return }
    var place = 16
    while place + 16 <= size {
      let frame = Int((buffer + place).load(as: Int64.self))
      let length = Int((buffer + place + 8).load(as: UInt32.self))
      guard place + 16 + length <= size else { return }
      give(
        buffer + place + 16, length, (buffer + place + 12).load(as: UInt32.self), at: frame,
        to: given, offset, frameCount, midiType)
      place += 16 + (length + 7) & ~7
    }
  }

  @_noLocks
  private func giveEventBuffer(
    to given: EventBuffer, _ offset: Int, _ frameCount: Int, _ midiType: LV2_URID
  ) {
    let used = Int((buffer + 20).load(as: UInt32.self))
    guard LV2EventPort.eventHeaderSize + used <= capacity else { return }
    let start = buffer + LV2EventPort.eventHeaderSize
    var place = 0
    for _ in 0..<Int((buffer + 12).load(as: UInt32.self)) {
      guard place + 12 <= used else { return }
      let frame = Int((start + place).load(as: UInt32.self))
      let length = Int((start + place + 10).load(as: UInt16.self))
      guard place + 12 + length <= used else { return }
      let type = UInt32((start + place + 8).load(as: UInt16.self))
      give(
        start + place + 12, length, type, at: frame, to: given, offset, frameCount, midiType)
      place += (12 + length + 7) & ~7
    }
  }

  @_noLocks
  private func give(
    _ bytes: UnsafeRawPointer, _ size: Int, _ type: UInt32, at frame: Int, to given: EventBuffer,
    _ offset: Int, _ frameCount: Int, _ midiType: LV2_URID
  ) {
    let within = frame > 0 ? (frame < frameCount ? frame : frameCount - 1) : 0
    _ = given.append(
      EventHeader(
        frame: offset + within, type: type == midiType ? EventHeader.midi : type,
        port: UInt32(truncatingIfNeeded: eventIndex), size: size), bytes)
  }
}
