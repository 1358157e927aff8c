import FxAudio
@testable import FxEngine
import Testing

/// The musical time of a performance, and its changes by a performer.
@Suite struct MusicalClockTests {
  private let rate = 48000.0

  @Test func `a tempo from a frame on replaces the map`() throws {
    var problem = 0
    let map = try #require(
      TempoMap.make(
        [.init(.seconds(0), tempo: 60), .init(.seconds(10), tempo: 240)], problem: &problem))
    let clock = MusicalClock(map, sampleRate: rate)
    #expect(clock.time.isKnown && clock.time.beat(at: 480_000) == 10)
    #expect(clock.send(.tempo(120)))
    clock.track.receive(at: 48000)
    #expect(clock.time.beat(at: 24000) == 0.5 && clock.time.tempo(at: 47999) == 60)
    #expect(clock.time.beat(at: 96000) == 3 && clock.time.tempo(at: 960_000) == 120)
    #expect(clock.time.revision == 1)
  }

  @Test func `a tempo that is not set is 120 beats a minute and unknown`() {
    let clock = MusicalClock(nil, sampleRate: rate)
    #expect(!clock.time.isKnown && clock.time.beat(at: 48000) == 2)
    _ = clock.send(.tempo(90))
    clock.track.receive(at: 0)
    #expect(clock.time.isKnown && clock.time.beat(at: 48000) == 1.5)
  }

  @Test func `a pause stops the beat, and the map continues after it`() throws {
    var problem = 0
    let map = try #require(
      TempoMap.make(
        [.init(.seconds(0), tempo: 60), .init(.seconds(2), tempo: 120)], problem: &problem))
    let clock = MusicalClock(map, sampleRate: rate)
    _ = clock.send(.rolling(false))
    clock.track.receive(at: 48000)
    #expect(clock.time.beat(at: 480_000) == 1)
    #expect(!clock.time.stretch(at: 48000).span.isRolling)
    _ = clock.send(.rolling(true))
    clock.track.receive(at: 96000)
    // A second late: the faster tempo begins at 3 s, at beat 2.
    #expect(clock.time.beat(at: 120_000) == 1.5 && clock.time.beat(at: 144_000) == 2)
    #expect(clock.time.beat(at: 192_000) == 4)
    #expect(clock.time.stretch(at: 24000).span.isRolling)
  }

  @Test func `a new beat takes effect where a block begins`() {
    let clock = MusicalClock(TempoMap(tempo: 60), sampleRate: rate)
    _ = clock.send(.beat(16))
    clock.track.receive(at: 480)
    #expect(clock.time.beat(at: 480) == 16 && clock.time.beat(at: 48480) == 17)
    #expect(clock.time.stretch(at: 480).span.place(ofBeat: 17).bar == 4)
  }

  @Test func `many changes forget the oldest`() {
    let clock = MusicalClock(TempoMap(tempo: 60), sampleRate: rate)
    var beat = 0.0
    for step in 1...500 {
      #expect(clock.send(.tempo(Double(60 + step % 60))))
      let frame = step * 480
      let before = clock.time.beat(at: frame)
      clock.track.receive(at: frame)
      #expect(clock.time.beat(at: frame) == before && before > beat)
      beat = before
    }
  }
}
