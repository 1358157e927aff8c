/// A MIDI message that is known in advance, and how long its setting holds.
struct LastingMIDIEvent: BitwiseCopyable {
  let event: MIDIEvent
  /// The frame of the next message that sets the same thing; `Int.max` if there is none, `Int.min`
  /// for a note.
  private let supersededAt: Int

  /// A note, or no message.
  init(_ event: MIDIEvent) { self.init(event: event, supersededAt: .min) }

  private init(event: MIDIEvent, supersededAt: Int) {
    self.event = event
    self.supersededAt = supersededAt
  }

  /// Messages sorted by frame.
  static func all(_ events: [MIDIEvent]) -> [LastingMIDIEvent] {
    var next: [Int: Int] = [:]
    var result: [LastingMIDIEvent] = []
    result.reserveCapacity(events.count)
    for event in events.reversed() {
      guard let key = key(of: event) else {
        result.append(LastingMIDIEvent(event: event, supersededAt: isNote(event) ? .min : .max))
        continue
      }
      result.append(LastingMIDIEvent(event: event, supersededAt: next[key] ?? .max))
      next[key] = event.frame
    }
    return result.reversed()
  }

  private static func isNote(_ event: MIDIEvent) -> Bool { event.bytes.0 & 0xe0 == 0x80 }

  /// A key for what a message sets. nil for notes, and for the controllers of parameter numbers (6,
  /// 38, 96 to 101), which have a meaning only in their order.
  private static func key(of event: MIDIEvent) -> Int? {
    let (status, data, _) = event.bytes
    switch status >> 4 {
    case 0xa: return Int(status) << 8 | Int(data)
    case 0xb:
      let isParameterNumber = data == 6 || data == 38 || (96...101).contains(data)
      return isParameterNumber ? nil : Int(status) << 8 | Int(data)
    case 0xc, 0xd, 0xe: return Int(status) << 8
    case 0xf: return Int(status) << 8
    default: return nil
    }
  }

  // MARK: - Realtime

  /// True when its setting still holds at a later frame.
  @_noLocks
  func lasts(until frame: Int) -> Bool { supersededAt >= frame }
}
