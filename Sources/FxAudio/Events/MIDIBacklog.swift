/// MIDI messages that wait for room, in the order in which they were received.
///
/// When it is full, a new value replaces the waiting one of the same controller, pitch bend,
/// pressure or program, and note starts are dropped. The end of a note and the newest value of a
/// controller are never lost.
package struct MIDIBacklog: Sendable {
  package private(set) var messages: [MIDIRing.Message] = []
  /// Messages that were dropped or replaced.
  package private(set) var droppedCount = 0
  private let capacity: Int

  package init(capacity: Int = 1024) { self.capacity = capacity }

  package var isEmpty: Bool { messages.isEmpty }

  /// The backlog exceeds its capacity by at most one message of each kind, and one end for each
  /// note that waits.
  package mutating func add(_ message: MIDIRing.Message) {
    guard messages.count >= capacity else { return messages.append(message) }
    if message.isNoteStart {
      droppedCount += 1
      return
    }
    let last = messages.lastIndex { $0.kind == message.kind }
    guard let last else { return messages.append(message) }
    if message.isNote {
      // A second end of the same note is redundant.
      guard messages[last].isNoteStart else {
        droppedCount += 1
        return
      }
    } else {
      messages.remove(at: last)
      droppedCount += 1
    }
    messages.append(message)
  }

  /// Removes the oldest messages while `body` accepts them.
  package mutating func take(while body: (MIDIRing.Message) -> Bool) {
    let count = messages.firstIndex { !body($0) } ?? messages.count
    messages.removeFirst(count)
  }

  /// Removes all messages.
  package mutating func takeAll() -> [MIDIRing.Message] {
    defer { messages = [] }
    return messages
  }

  /// Puts messages that could not be processed yet before those received since.
  package mutating func putBack(_ older: some Sequence<MIDIRing.Message>) {
    let newer = messages
    messages = Array(older)
    for message in newer { add(message) }
  }
}

extension MIDIRing.Message {
  /// nil for anything but a message of one to three bytes.
  package init?(_ bytes: [UInt8], at seconds: Double) {
    guard (1...3).contains(bytes.count) else { return nil }
    self.init(
      seconds: seconds,
      bytes: (bytes[0], bytes.count > 1 ? bytes[1] : 0, bytes.count > 2 ? bytes[2] : 0),
      size: UInt8(bytes.count))
  }

  /// Status and data; unused bytes are 0.
  package var paddedBytes: [UInt8] { [bytes.0, bytes.1, bytes.2] }

  fileprivate var isNote: Bool { bytes.0 & 0xe0 == 0x80 }
  fileprivate var isNoteStart: Bool { bytes.0 & 0xf0 == 0x90 && bytes.2 > 0 }

  /// Equal for messages that replace each other: of the same controller or key of a channel, or of
  /// its program, pressure or pitch bend. Also equal for the start and the end of the same note.
  fileprivate var kind: Int {
    let channel = Int(bytes.0 & 0x0f)
    return switch bytes.0 & 0xf0 {
    case 0x80, 0x90: (0x80 << 16) + (channel << 8) + Int(bytes.1)
    case 0xa0, 0xb0: (Int(bytes.0 & 0xf0) << 16) + (channel << 8) + Int(bytes.1)
    default: (Int(bytes.0 & 0xf0) << 16) + (channel << 8)
    }
  }
}
