import FxAudio

/// One end of an event line, on the render thread.
struct EventLineEnd: BitwiseCopyable {
  let buffer: EventBuffer
  let notes: SoundingNotes
  /// The event input at the line's end, or the output at its start.
  let port: UInt32
  /// Frames by which the line delays events.
  let delay: UnsafePointer<Int>
}

/// The events of one node: those it receives in a block and those it sends.
struct NodeEvents: BitwiseCopyable {
  let inputs: UnsafePointer<EventLineEnd>
  let inputCount: Int
  let outputs: UnsafePointer<EventLineEnd>
  let outputCount: Int
  /// The events received in this block, sorted by frame.
  let gathered: EventBuffer
  let given: EventBuffer

  // MARK: - Realtime

  /// Takes the due events from the lines, for a block that starts at a program's frame. Events at
  /// the same frame are ordered by `MIDIRank`, then by the order of their connections.
  @_noLocks
  func gather(from frame: Int, frameCount: Int) {
    gathered.clear()
    given.clear()
    for index in 0..<inputCount where inputs[index].notes.areToEnd {
      endNotes(of: inputs[index])
    }
    while true {
      var next = -1
      var due = 0
      var rank = 0
      for index in 0..<inputCount {
        guard let event = inputs[index].buffer.first else { continue }
        let time = event.frame + inputs[index].delay.pointee
        guard time < frame + frameCount else { continue }
        let own = self.rank(of: event, in: inputs[index])
        guard next < 0 || time < due || time == due && own < rank else { continue }
        (next, due, rank) = (index, time, own)
      }
      guard next >= 0 else { return }
      take(from: inputs[next], at: due > frame ? due - frame : 0)
    }
  }

  @_noLocks
  private func rank(of event: EventHeader, in line: EventLineEnd) -> Int {
    guard event.type == EventHeader.midi, event.size > 0, let bytes = line.buffer.list.bytes(at: 0)
    else { return MIDIRank.rank(0xff, 0) }
    return MIDIRank.rank(
      bytes.load(as: UInt8.self), event.size > 2 ? (bytes + 2).load(as: UInt8.self) : 0)
  }

  /// Moves a line's first event to `gathered`.
  @_noLocks
  private func take(from line: EventLineEnd, at offset: Int) {
    guard var event = line.buffer.first, let bytes = line.buffer.list.bytes(at: 0) else { return }
    (event.frame, event.port) = (offset, line.port)
    if gathered.append(event, bytes) {
      if event.type == EventHeader.midi, event.size == 3 {
        line.notes.note(
          bytes.load(as: UInt8.self), (bytes + 1).load(as: UInt8.self),
          (bytes + 2).load(as: UInt8.self))
      }
    } else {
      line.notes.areToEnd = true
    }
    line.buffer.removeFirst()
  }

  /// Ends every note that a line has started.
  @_noLocks
  private func endNotes(of line: EventLineEnd) {
    let header = EventHeader(frame: 0, type: EventHeader.midi, port: line.port, size: 3)
    while true {
      let note = line.notes.takeFirst()
      guard note >= 0 else { break }
      let status = 0x80 | UInt8(truncatingIfNeeded: note >> 7)
      _ = gathered.append(header, (status, UInt8(truncatingIfNeeded: note & 127), 64, 0))
    }
    line.notes.areToEnd = false
  }

  /// Puts the events that the node has sent on its lines. `frame` is the program's frame at the
  /// start of the block.
  @_noLocks
  func scatter(from frame: Int) {
    let list = given.list
    var place = 0
    while var event = list.event(at: place) {
      guard let bytes = list.bytes(at: place) else { return }
      place += event.stride
      let port = event.port
      event.frame += frame
      for index in 0..<outputCount where outputs[index].port == port {
        if !outputs[index].buffer.append(event, bytes) {
          outputs[index].notes.areToEnd = true
        }
      }
    }
  }
}
