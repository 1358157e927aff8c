import FxAudio
@testable import FxLV2
import Testing

@Suite struct MIDITests {
  private func on(_ frame: Int, _ note: UInt8, _ velocity: UInt8 = 127) -> MIDIEvent {
    MIDIEvent(frame: frame, bytes: (0x90, note, velocity), size: 3)
  }

  private func off(_ frame: Int, _ note: UInt8) -> MIDIEvent {
    MIDIEvent(frame: frame, bytes: (0x80, note, 64), size: 3)
  }

  private func message(_ frame: Int, _ first: UInt8, _ second: UInt8, _ third: UInt8 = 0)
    -> MIDIEvent
  {
    MIDIEvent(
      frame: frame, bytes: (first, second, third), size: first & 0xe0 == 0xc0 ? 2 : 3)
  }

  private func synth(_ events: [MIDIEvent], maximum: Int = 8192) throws -> UnitInstance {
    try fixture("midi").made(maximum: maximum) { $0.events = events }
  }

  private var song: [MIDIEvent] {
    [
      message(0, 0xc0, 5), on(0, 60, 100), message(63, 0xb0, 7, 90), on(64, 61, 10),
      off(1000, 60), on(1000, 60, 127), off(1001, 61), message(4095, 0xe0, 0, 96), on(4096, 62, 50),
      message(5000, 0xd0, 44), off(6000, 60), off(6000, 62), on(8999, 70, 1),
    ]
  }

  @Test func `each note sounds at its frame`() throws {
    let synth = try synth([on(10, 60, 127), off(20, 60), on(300, 62, 64)])
    let output = synth.render([], outputs: 2, frames: 512)
    #expect(output[0].indices.filter { output[0][$0] != 0 } == [10, 300])
    #expect(output[0][10] == 1 && output[0][300] == Float(64) / 127)
    #expect(output[1].indices.filter { output[1][$0] != 0 } == [20])
    #expect(synth.reading("count") == 3)
    #expect(synth.reading("strays") == 0)
  }

  @Test(arguments: [1, 7, 64, 100, 256, 1000, 4096, 5000, 8192])
  func `MIDI is the same at every block size`(_ block: Int) throws {
    let whole = try synth(song).render([], outputs: 2, block: 9000, frames: 9000)
    let synth = try synth(song)
    #expect(synth.render([], outputs: 2, block: block, frames: 9000) == whole)
    #expect(synth.reading("count") == Float(song.count))
    #expect(synth.reading("unordered") == 0 && synth.reading("struck_twice") == 0)
  }

  @Test func `events that do not fit come with the next block, and none is lost`() throws {
    let crowd = (0..<7000).map { message(5, 0xb0, UInt8($0 & 127), UInt8($0 >> 7)) }
    let synth = try synth(crowd + [on(600, 60)])
    let output = synth.render([], outputs: 2, block: 256, frames: 1024)
    #expect(synth.reading("count") == 7001)
    #expect(output[0].firstIndex { $0 != 0 } == 600)
    #expect(Set(output[1].indices.filter { output[1][$0] != 0 }) == [5, 256, 512])
  }

  @Test func `a start within the piece finds programs and controllers, and no old notes`() throws {
    let events = [
      message(0, 0xc0, 5), message(1, 0xb0, 7, 1), on(2, 60), message(10, 0xb0, 7, 9),
      message(20, 0xc1, 3), message(50, 0xe0, 0, 80), message(90, 0xc0, 6),
      message(100, 0xb0, 7, 2),
      on(110, 64),
    ]
    let synth = try synth(events)
    let output = synth.render([], outputs: 2, frames: 64, from: 100)
    // Controller 7 at 9 is replaced at the very first frame by the new value.
    #expect(output[0].indices.filter { output[0][$0] != 0 } == [10])
    #expect(synth.reading("count") == 6)
    #expect(synth.reading("unordered") == 0)
    let at50 = try self.synth(events)
    _ = at50.render([], outputs: 2, frames: 10, from: 50)
    #expect(at50.reading("count") == 4)
  }

  @Test func `parameter numbers are chased in their order`() throws {
    let numbers = [
      message(0, 0xb0, 101, 0), message(0, 0xb0, 100, 0), message(0, 0xb0, 6, 12),
      message(1, 0xb0, 101, 0), message(1, 0xb0, 100, 1), message(1, 0xb0, 6, 64),
    ]
    let synth = try synth(numbers)
    _ = synth.render([], outputs: 2, frames: 10, from: 100)
    #expect(synth.reading("count") == 6)
  }

  @Test func `a jump ends the notes that sound`() throws {
    let synth = try synth([on(0, 60), on(0, 61), off(500, 60), on(1000, 60)])
    _ = synth.render([], outputs: 2, frames: 100)
    let output = synth.render([], outputs: 2, frames: 100, from: 950)
    #expect(output[1][0] == -2)
    #expect(output[0].firstIndex { $0 != 0 } == 50)
    #expect(synth.reading("struck_twice") == 0)
  }

  @Test func `live messages are played in their order and none is lost`() throws {
    let inbox = MIDIInbox()
    let synth = try fixture("midi").made(live: true) { $0.inbox = inbox }
    inbox.send([0x90, 60, 127], at: 0)
    inbox.send([0xc0, 3], at: 0)
    inbox.send([0x80, 60, 0], at: 0)
    let output = synth.render([], outputs: 2, frames: 256)
    #expect(synth.reading("count") == 3)
    #expect(synth.reading("unordered") == 0)
    #expect(output[0][0] == 1)
    #expect(inbox.droppedCount == 0)
    for value in 0..<3000 { inbox.send([0xb0, 7, UInt8(value % 100)], at: 0) }
    inbox.send([0xb0, 7, 101], at: 0)
    #expect(inbox.droppedCount == 3001 - 2048)
    #expect(!inbox.flush())
    _ = synth.render([], outputs: 2, frames: 256)
    #expect(inbox.flush())
    _ = synth.render([], outputs: 2, frames: 256)
    #expect(synth.reading("count") == 3 + 2048)
  }

  @Test func `the old event ports receive the same notes`() throws {
    let events = [on(3, 60, 127), off(4, 60), on(700, 61, 64), on(5000, 62, 1)]
    for block in [64, 6000] {
      let synth = try fixture("oldevents").made(maximum: 8192) { $0.events = events }
      let output = synth.render([], outputs: 1, block: block, frames: 6000)[0]
      #expect(output.indices.filter { output[$0] != 0 } == [3, 700, 5000])
      #expect(output[700] == Float(64) / 127)
      #expect(synth.reading("room") >= 65536)
    }
  }

  @Test func `the musical time is reported once, from the first frame on`() throws {
    let time = try fixture("time").made { $0.tempo = 120 }
    let silence = [Float](repeating: 0, count: 1000)
    let output = time.render([silence], outputs: 3, block: 256, tempo: TempoMap(tempo: 120))
    #expect(output[0] == (0..<1000).map(Float.init))
    #expect(output[1].allSatisfy { $0 == 120 })
    #expect(time.reading("count") == 1)
  }

  @Test func `a start is reported with its bar, and after a latency from frame 0`() throws {
    let silence = [Float](repeating: 0, count: 300)
    let late = try fixture("time").made { $0.tempo = 60 }
    // Two seconds are two beats and 48000 frames more the third.
    let output = late.render([silence], outputs: 3, from: 48000 * 5, tempo: TempoMap(tempo: 60))
    #expect(output[0][0] == 240_000)
    #expect(output[2][0] == 1)
    let early = try fixture("time").made { $0.tempo = 60 }
    let before = early.render(
      [silence], outputs: 3, block: 256, from: -100, tempo: TempoMap(tempo: 60))
    #expect(before[0][99] == -1 && before[0][100] == 0 && before[0][299] == 199)
  }

  @Test func `without a tempo no time is reported`() throws {
    let time = try fixture("time").made {
      $0.events = [MIDIEvent(frame: 0, bytes: (0x90, 1, 1), size: 3)]
    }
    let output = time.render([[0, 0, 0]], outputs: 3)
    #expect(output[0] == [-1, -1, -1])
    #expect(time.reading("count") == 0)
  }
}
