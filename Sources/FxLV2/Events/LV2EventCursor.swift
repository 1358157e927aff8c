import CLilv
import FxAudio

/// Steps through the events of a block that belong to one run and one input port of a plugin.
struct LV2EventCursor {
  private let events: EventList
  /// The run's offset in the block.
  private let offset: Int
  private let frameCount: Int
  private let port: LV2EventPort
  private let midiType: LV2_URID
  private var place = 0

  // MARK: - Realtime

  @_noLocks
  init(
    _ events: EventList, offset: Int, frameCount: Int, into port: LV2EventPort, midiType: LV2_URID
  ) {
    self.events = events
    self.offset = offset
    self.frameCount = frameCount
    self.port = port
    self.midiType = midiType
  }

  /// Appends the events before a frame of the run to the port's buffer, and the events at that
  /// frame with a lower rank.
  @_noLocks
  mutating func append(before frame: Int, rank: Int = 0) {
    while let event = events.event(at: place) {
      let time = event.frame - offset
      guard time < frameCount, time < frame || time == frame && self.rank(of: event) < rank else {
        return
      }
      if time >= 0, Int(event.port) == port.eventIndex, let bytes = events.bytes(at: place) {
        port.append(event, bytes, at: time, midiType: midiType)
      }
      place += event.stride
    }
  }

  /// Appends the rest to the port's buffer.
  @_noLocks
  mutating func appendRest() { append(before: frameCount) }

  @_noLocks
  private func rank(of event: EventHeader) -> Int {
    guard event.type == EventHeader.midi, event.size > 0, let bytes = events.bytes(at: place) else {
      return MIDIRank.rank(0xff, 0)
    }
    return MIDIRank.rank(
      bytes.load(as: UInt8.self), event.size > 2 ? (bytes + 2).load(as: UInt8.self) : 0)
  }
}
