import CLilv
import FxAudio

/// The buffer of an atom or event port as the render thread fills and empties it.
struct LV2EventPort {
  enum Layout {
    /// An `LV2_Atom_Sequence`.
    case sequence
    /// Any other atom.
    case atom
    /// An `LV2_Event_Buffer` of the extension that atoms have replaced.
    case eventBuffer
  }

  let buffer: UnsafeMutableRawPointer
  /// Bytes, header included.
  let capacity: Int
  let isInput: Bool
  let layout: Layout
  /// The type of the buffer of an input, atom:Chunk for an output.
  let type: LV2_URID
  let takesMIDI: Bool
  let takesTime: Bool
  /// Its index among the unit's event inputs or outputs; negative if it is none of them.
  let eventIndex: Int

  /// The number of MIDI messages that fit into a buffer, besides positions.
  static func messageLimit(capacity: Int, layout: Layout) -> Int {
    switch layout {
    case .eventBuffer: max((capacity - eventHeaderSize) / 16, 1)
    case .sequence, .atom:
      max(
        (capacity - 16 - LV2TimePosition.maximumCount * LV2TimePosition.eventSize) / 24, 1)
    }
  }

  // MARK: - Realtime

  /// Bytes of the header of an `LV2_Event_Buffer`.
  static var eventHeaderSize: Int {
    @_noLocks get { 24 }
  }

  /// Clears the buffer: an input then has no events, an output has its full capacity.
  @_noLocks
  func clear() {
    switch layout {
    case .eventBuffer:
      let header = UInt16(truncatingIfNeeded: LV2EventPort.eventHeaderSize)
      let room = UInt32(truncatingIfNeeded: capacity - LV2EventPort.eventHeaderSize)
      buffer.storeBytes(
        of: UInt(bitPattern: buffer + LV2EventPort.eventHeaderSize), as: UInt.self)
      (buffer + 8).storeBytes(of: header, as: UInt16.self)
      // Time stamps are in frames.
      (buffer + 10).storeBytes(of: 0, as: UInt16.self)
      (buffer + 12).storeBytes(of: 0, as: UInt32.self)
      (buffer + 16).storeBytes(of: room, as: UInt32.self)
      (buffer + 20).storeBytes(of: 0, as: UInt32.self)
    case .sequence, .atom:
      var size = 0
      if !isInput {
        size = capacity - 8
      } else if case .sequence = layout {
        size = 8
      }
      buffer.storeBytes(of: UInt32(truncatingIfNeeded: size), as: UInt32.self)
      (buffer + 4).storeBytes(of: type, as: UInt32.self)
      (buffer + 8).storeBytes(of: 0, as: UInt64.self)
    }
  }

  /// Appends a MIDI message; ignored where it does not fit.
  @_noLocks
  func append(_ message: MIDIEvent, type: LV2_URID) {
    switch layout {
    case .eventBuffer:
      let used = Int((buffer + 20).load(as: UInt32.self))
      guard LV2EventPort.eventHeaderSize + used + 16 <= capacity else { return }
      let event = buffer + LV2EventPort.eventHeaderSize + used
      event.storeBytes(of: UInt32(truncatingIfNeeded: message.frame), as: UInt32.self)
      (event + 4).storeBytes(of: 0, as: UInt32.self)
      (event + 8).storeBytes(of: UInt16(truncatingIfNeeded: type), as: UInt16.self)
      (event + 10).storeBytes(of: UInt16(message.size), as: UInt16.self)
      message.store(at: event + 12)
      let count = (buffer + 12).load(as: UInt32.self)
      (buffer + 12).storeBytes(of: count &+ 1, as: UInt32.self)
      (buffer + 20).storeBytes(of: UInt32(truncatingIfNeeded: used + 16), as: UInt32.self)
    case .sequence:
      guard let event = room(24) else { return }
      event.storeBytes(of: Int64(message.frame), as: Int64.self)
      (event + 8).storeBytes(of: UInt32(message.size), as: UInt32.self)
      (event + 12).storeBytes(of: type, as: UInt32.self)
      (event + 16).storeBytes(of: 0, as: UInt64.self)
      message.store(at: event + 16)
    case .atom:
      return
    }
  }

  /// Extends a sequence by `size` bytes, a multiple of eight, and returns their place; nil where
  /// there is no room.
  @_noLocks
  func room(_ size: Int) -> UnsafeMutableRawPointer? {
    let used = Int(buffer.load(as: UInt32.self)) + 8
    guard used + size <= capacity else { return nil }
    buffer.storeBytes(of: UInt32(truncatingIfNeeded: used + size - 8), as: UInt32.self)
    return buffer + used
  }
}
