package import FxAudio

/// A MIDI channel message at a time of the chain's input, in seconds.
package struct TimedMIDI: Sendable, Equatable {
  package var seconds: Double
  /// 1 to 3 bytes: status, then data.
  package var bytes: [UInt8]

  package init(seconds: Double, bytes: [UInt8]) {
    self.seconds = seconds
    self.bytes = bytes
  }

  /// The message at a frame of a sample rate.
  package func event(sampleRate: Double) -> MIDIEvent {
    // A time too large for a frame number is limited: the message is never played, rather than at
    // once.
    let far = 1e15
    let exact = (seconds * sampleRate).rounded()
    let frame = exact.isNaN ? far : Swift.min(Swift.max(exact, -far), far)
    return MIDIEvent(
      frame: Int(frame),
      bytes: (
        bytes.first ?? 0, bytes.count > 1 ? bytes[1] : 0, bytes.count > 2 ? bytes[2] : 0
      ), size: UInt8(min(bytes.count, 3)))
  }

  /// The key of a note, made of its channel and note number; nil for any other message.
  package var note: (key: Int, isOn: Bool)? {
    guard bytes.count == 3, bytes[0] & 0xe0 == 0x80 else { return nil }
    return (Int(bytes[0] & 15) << 7 | Int(bytes[1] & 127), bytes[0] >= 0x90 && bytes[2] > 0)
  }
}

extension [TimedMIDI] {
  /// The messages at frames of a sample rate, in order; `self` is sorted by time.
  ///
  /// A note lasts at least one frame. At the same frame, notes end before new ones begin, so that a
  /// repeated note sounds.
  package func events(sampleRate: Double) -> [MIDIEvent] {
    var events: [(event: MIDIEvent, rank: Int)] = []
    events.reserveCapacity(count)
    var started = [Int](repeating: .min, count: 16 << 7)
    var sounding = [Int](repeating: 0, count: 16 << 7)
    for message in self {
      var event = message.event(sampleRate: sampleRate)
      if let note = message.note {
        if note.isOn {
          started[note.key] = event.frame
          sounding[note.key] += 1
        } else {
          // With two notes sounding, this ends the earlier one. Only a note that started at this
          // frame ends a frame later.
          if sounding[note.key] <= 1, started[note.key] == event.frame { event.frame += 1 }
          sounding[note.key] = Swift.max(sounding[note.key] - 1, 0)
        }
        events.append((event, note.isOn ? 1 : 0))
      } else {
        events.append((event, 2))
      }
    }
    let order = events.indices.sorted {
      (events[$0].event.frame, $0) < (events[$1].event.frame, $1)
    }
    var result: [MIDIEvent] = []
    result.reserveCapacity(count)
    var index = 0
    while index < order.count {
      var end = index
      let frame = events[order[index]].event.frame
      while end < order.count, events[order[end]].event.frame == frame { end += 1 }
      let group = order[index..<end]
      let first = group.firstIndex { events[$0].rank == 1 } ?? end
      let rest = order[first..<end]
      let ordered =
        order[index..<first] + rest.filter { events[$0].rank == 0 }
        + rest.filter { events[$0].rank != 0 }
      for position in ordered { result.append(events[position].event) }
      index = end
    }
    return result
  }

  /// The time of the last message, in seconds.
  package var end: Double { self.last?.seconds ?? 0 }
}

/// A port for live MIDI while a chain runs.
package struct MIDIPort: Sendable, Hashable {
  /// The name of the port.
  package var name: String
  /// The sender connected to it: `client:port`, by names or numbers.
  package var sender: String?

  package init(name: String, sender: String? = nil) {
    self.name = name
    self.sender = sender
  }
}
