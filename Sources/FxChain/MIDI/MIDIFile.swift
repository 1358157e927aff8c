import FxAudio
import FxEngine

extension Failure {
  /// A mistake in a MIDI file: the offset of the wrong byte, from 0.
  init(midi message: String, at offset: Int) {
    self.init(.damaged, message, part: offset..<offset + 1)
  }
}

/// A standard MIDI file of format 0 or 1: its channel messages with their times. System exclusive
/// and meta events are skipped, except tempo.
///
/// Source: The Complete MIDI 1.0 Detailed Specification, Standard MIDI Files 1.0.
struct MIDIFile: Sendable {
  /// Sorted by time; events at the same time are in the order of the tracks. Notes that are never
  /// ended end with the file.
  package let events: [TimedMIDI]
  /// Oddities of a readable file, one sentence each.
  package let warnings: [String]

  /// In seconds; also the limit of other times in a chain. A longer file is broken.
  static let longestTime = 86400.0

  /// - Parameter channel: The only channel to read, from 0; nil for all.
  package init(_ bytes: [UInt8], channel: UInt8? = nil) throws(Failure) {
    var reader = MIDIByteReader(bytes)
    try reader.skipWrapper()
    let (division, declaredCount) = try reader.header()
    var messages: [MIDITrack.Message] = []
    var tempos: [MIDITrack.Tempo] = []
    var end = 0
    var trackCount = 0
    while reader.isMore {
      guard let body = try reader.chunk() else { continue }
      trackCount += 1
      var track = MIDITrack(bytes, body)
      try track.read()
      messages += track.messages
      tempos += track.tempos
      end = max(end, track.tick)
    }
    guard trackCount > 0 else { throw Failure(midi: "the file has no track", at: bytes.count) }
    if let channel { messages.removeAll { $0.bytes[0] & 15 != channel } }
    let order = messages.indices.sorted {
      (messages[$0].tick, $0) < (messages[$1].tick, $1)
    }
    var clock = MIDIClock(division: division, tempos: tempos)
    var events: [TimedMIDI] = []
    events.reserveCapacity(messages.count)
    var open = [Int](repeating: 0, count: 16 << 7)
    for index in order {
      let message = messages[index]
      let seconds = clock.seconds(at: message.tick)
      guard seconds <= Self.longestTime else {
        throw Failure(
          midi: "an event comes after more than a day (\(Int(Self.longestTime)) s)",
          at: message.offset)
      }
      let event = TimedMIDI(seconds: seconds, bytes: message.bytes)
      if let note = event.note { open[note.key] = note.isOn ? open[note.key] + 1 : 0 }
      events.append(event)
    }
    let last = min(clock.seconds(at: end), Self.longestTime)
    for key in open.indices where open[key] > 0 {
      let bytes = [0x80 | UInt8(key >> 7), UInt8(key & 127), 64]
      events.append(TimedMIDI(seconds: last, bytes: bytes))
    }
    self.events = events
    warnings =
      trackCount < declaredCount
      ? ["its header says that it has \(declaredCount) tracks, and there are \(trackCount)"] : []
  }
}

/// The meaning of a tick: ticks per quarter note, or per second.
enum MIDIDivision: Equatable {
  case perQuarter(Int)
  case perSecond(Double)
}

/// Converts ticks to seconds, in order of time.
private struct MIDIClock {
  private let division: MIDIDivision
  private let tempos: [MIDITrack.Tempo]
  private var next = 0
  private var tick = 0
  private var seconds = 0.0
  /// Microseconds per quarter note: 120 beats per minute until a tempo event.
  private var quarter = 500_000.0

  init(division: MIDIDivision, tempos: [MIDITrack.Tempo]) {
    self.division = division
    self.tempos = tempos.indices.sorted { (tempos[$0].tick, $0) < (tempos[$1].tick, $1) }
      .map { tempos[$0] }
  }

  /// `target` must not be earlier than in the last call.
  mutating func seconds(at target: Int) -> Double {
    guard case .perQuarter(let ticks) = division else {
      guard case .perSecond(let rate) = division else { return 0 }
      return Double(target) / rate
    }
    while next < tempos.count, tempos[next].tick <= target {
      advance(to: tempos[next].tick, ticks)
      quarter = Double(tempos[next].microseconds)
      next += 1
    }
    advance(to: target, ticks)
    return seconds
  }

  private mutating func advance(to target: Int, _ ticks: Int) {
    seconds += Double(target - tick) * quarter / (1_000_000 * Double(ticks))
    tick = target
  }
}
