import FxEngine
@testable import FxKit
import FxTestSupport
import Testing

/// A performance that follows a MIDI clock.
struct MIDIClockTests {
  private func message(_ bytes: [UInt8], at seconds: Double = 0) throws -> MIDIClockMessage {
    try #require(MIDIClockMessage(status: bytes[0], bytes[1], bytes[2], at: seconds))
  }

  @Test func `start, stop, continue and song position move the beat`() throws {
    var clock = MIDIClockFollower()
    func changes(_ bytes: [UInt8], _ beatsPerQuarter: Double = 1) throws -> [TimeChange] {
      clock.changes(for: try message(bytes), tempo: 120, beatsPerQuarter: beatsPerQuarter)
    }
    #expect(try changes([0xfa, 0, 0]) == [.beat(0), .rolling(true)])
    #expect(try changes([0xfc, 0, 0]) == [.rolling(false)])
    #expect(try changes([0xfb, 0, 0]) == [.rolling(true)])
    // 144 sixteenths are 36 quarters, in 6/8 72 beats.
    #expect(try changes([0xf2, 16, 1]) == [.beat(36)])
    #expect(try changes([0xf2, 16, 1], 2) == [.beat(72)])
    #expect(MIDIClockMessage(status: 0x90, 60, 1, at: 0) == nil)
    #expect(MIDIClockMessage(status: 0xfe, 0, 0, at: 0) == nil)
  }

  @Test func `the tempo of uneven pulses is within half a percent`() throws {
    var clock = MIDIClockFollower()
    var random = SeededRandom(5)
    var tempos: [Double] = []
    for pulse in 0..<480 {
      // 96 a minute, each pulse up to a millisecond late.
      let seconds = Double(pulse) * 60 / 96 / 24 + random.next(in: 0...0.001)
      for change in clock.changes(
        for: try message([0xf8, 0, 0], at: seconds), tempo: tempos.last ?? 120,
        beatsPerQuarter: 1)
      {
        if case .tempo(let tempo) = change { tempos.append(tempo) }
      }
    }
    #expect(!tempos.isEmpty && tempos.count < 20)
    #expect(tempos.allSatisfy { abs($0 - 96) < 0.005 * 96 })
  }

  @Test func `a changed clock is followed within two quarter notes`() throws {
    var clock = MIDIClockFollower()
    var seconds = 0.0
    var last = 0.0
    for pulse in 0..<200 {
      seconds += 60 / (pulse < 100 ? 120.0 : 90) / 24
      for change in clock.changes(
        for: try message([0xf8, 0, 0], at: seconds), tempo: last, beatsPerQuarter: 1)
      {
        if case .tempo(let tempo) = change { last = tempo }
      }
    }
    #expect(abs(last - 90) < 0.5)
  }
}
