import FxAudio
@testable import FxChain
import FxEngine
import Testing

@Suite struct MIDIFileTests {
  /// A file of these tracks.
  static func file(_ tracks: [[UInt8]], format: UInt8 = 1, division: [UInt8] = [0, 96]) -> [UInt8] {
    var bytes = Array("MThd".utf8) + [0, 0, 0, 6, 0, format, 0, UInt8(tracks.count)] + division
    for track in tracks {
      bytes += Array("MTrk".utf8) + [0, 0, UInt8(track.count >> 8), UInt8(track.count & 255)]
      bytes += track
    }
    return bytes
  }

  private static let end: [UInt8] = [0, 0xff, 0x2f, 0]

  private func problem(_ bytes: [UInt8]) -> Failure? {
    do throws(Failure) {
      _ = try MIDIFile(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func times(_ events: [TimedMIDI]) -> [Double] { events.map(\.seconds) }

  @Test func `running status is understood, meta and system exclusive events are skipped`() throws {
    let track: [UInt8] =
      [0, 0x90, 60, 100, 48, 60, 0, 0, 0xff, 1, 2, 65, 66, 0, 0xf0, 2, 1, 0xf7]
      + [48, 0x90, 62, 1, 0, 0xc3, 7, 96, 0x80, 62, 5] + Self.end
    let events = try MIDIFile(Self.file([track], format: 0)).events
    #expect(
      events.map(\.bytes) == [
        [0x90, 60, 100], [0x90, 60, 0], [0x90, 62, 1], [0xc3, 7], [0x80, 62, 5],
      ])
    #expect(times(events) == [0, 0.25, 0.5, 0.5, 1])
  }

  @Test func `the tempo of one track holds for all of them`() throws {
    let tempo: [UInt8] =
      [0, 0xff, 0x51, 3, 0x0f, 0x42, 0x40, 96, 0xff, 0x51, 3, 0x03, 0xd0, 0x90] + Self.end
    let notes: [UInt8] =
      [48, 0x90, 60, 1, 48, 0x80, 60, 0, 96, 0x90, 61, 1, 0, 0x80, 61, 0] + Self.end
    #expect(times(try MIDIFile(Self.file([tempo, notes])).events) == [0.5, 1, 1.25, 1.25])
    #expect(times(try MIDIFile(Self.file([notes, tempo])).events) == [0.5, 1, 1.25, 1.25])
  }

  @Test func `ticks may be fractions of SMPTE frames`() throws {
    let track: [UInt8] = [100, 0x90, 60, 1, 100, 0x80, 60, 1] + Self.end
    let bytes = Self.file([track], division: [0xe7, 40])
    #expect(times(try MIDIFile(bytes).events) == [0.1, 0.2])
  }

  @Test func `a note that is never ended ends with the file`() throws {
    let track: [UInt8] = [0, 0x95, 60, 1, 96, 0xff, 0x2f, 0]
    let events = try MIDIFile(Self.file([track])).events
    #expect(events.map(\.bytes) == [[0x95, 60, 1], [0x85, 60, 64]])
    #expect(times(events) == [0, 0.5])
  }

  @Test func `one channel can be taken alone`() throws {
    let track: [UInt8] =
      [0, 0x90, 60, 1, 0, 0x91, 61, 1, 1, 0x80, 60, 0, 0, 0x81, 61, 0] + Self.end
    let events = try MIDIFile(Self.file([track]), channel: 1).events
    #expect(events.map(\.bytes) == [[0x91, 61, 1], [0x81, 61, 0]])
  }

  @Test func `a broken file is refused with the byte's position`() {
    let good = Self.file([[0, 0x90, 60, 1] + Self.end])
    let cases: [([UInt8], Int, String)] = [
      ([], 0, "not a MIDI file"), (Array("RIFF".utf8), 0, "not a MIDI file"),
      (Array(good.prefix(9)), 4, "header is too short"),
      (Self.file([], format: 2), 8, "format 2"), (Self.file([], division: [0, 0]), 12, "no ticks"),
      (Self.file([], division: [0xe0, 4]), 12, "32 frames a second"),
      (Self.file([]), 14, "no track"),
      (Array(good.dropLast()), 18, "'MTrk' says that it is 8 bytes long, and 7 are left"),
      (good + [1, 2, 3], 30, "head of a chunk"),
      (Self.file([[0, 60, 60]]), 23, "a status was expected and there is the data byte 3C"),
      (Self.file([[0, 0x90, 60]]), 25, "the data of an event is missing"),
      (Self.file([[0, 0x90, 60, 0x80]]), 25, "a data byte of the event at byte 23"),
      (Self.file([[0xff, 0xff, 0xff, 0xff, 0]]), 22, "longer than four bytes"),
      (Self.file([[0, 0xf4]]), 23, "F4 has no place"),
      (Self.file([[0, 0xff, 0x51, 2, 1, 1]]), 23, "a tempo has three bytes"),
      (Self.file([[0, 0xff, 0x51, 3, 0, 0, 0]]), 23, "a tempo gives a quarter note no time"),
      (Self.file([[0xff, 0xff, 0xff, 0x7f, 0x90, 60, 1]]), 26, "after more than a day"),
      (Self.file([[0, 0xff, 1, 99, 1]]), 26, "99 bytes long, and 1 are left"),
      (Self.file([[0, 0xf0, 9, 1]]), 25, "9 bytes long"),
      (Self.file([[0]]), 23, "an event is missing"),
    ]
    for (bytes, offset, message) in cases {
      let found = problem(bytes)
      #expect(found?.message.contains(message) == true, "\(String(describing: found))")
      #expect(found?.part?.lowerBound == offset, "\(message)")
    }
  }

  @Test func `a note that is left on ends within a day whatever the end of its track says`() throws
  {
    let track: [UInt8] = [0, 0x90, 60, 1, 0xff, 0xff, 0xff, 0x7f, 0xff, 0x2f, 0]
    #expect(times(try MIDIFile(Self.file([track])).events) == [0, 86400])
  }

  @Test func `missing tracks are reported`() throws {
    var bytes = Self.file([[0, 0x90, 60, 1, 96, 0x80, 60, 1] + Self.end])
    #expect(try MIDIFile(bytes).warnings == [])
    bytes[11] = 3
    let file = try MIDIFile(bytes)
    #expect(file.warnings == ["its header says that it has 3 tracks, and there are 1"])
    #expect(file.events.count == 2)
  }

  @Test func `no file breaks the reader`() {
    var state: UInt64 = 7
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let good = Self.file([
      [0, 0xff, 0x51, 3, 1, 2, 3, 0, 0x90, 60, 1, 96, 60, 0, 0, 0xf0, 2, 1, 0xf7] + Self.end,
      [0, 0xc0, 1, 0x81, 0x40, 0xb0, 7, 1, 3, 8, 2] + Self.end,
    ])
    var readable = 0
    for _ in 0..<3000 {
      var bytes = good
      for _ in 0...random(4) {
        switch random(3) {
        case 0 where !bytes.isEmpty: bytes[random(bytes.count)] = UInt8(random(256))
        case 1 where !bytes.isEmpty: bytes.remove(at: random(bytes.count))
        default: bytes.insert(UInt8(random(256)), at: random(bytes.count + 1))
        }
      }
      if random(10) == 0 { bytes = Array(bytes.prefix(random(bytes.count + 1))) }
      let found = problem(bytes)
      if found == nil { readable += 1 }
      #expect((found?.part?.lowerBound ?? 0) <= bytes.count)
    }
    #expect(readable > 100 && readable < 2900)
  }
}
