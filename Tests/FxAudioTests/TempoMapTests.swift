@testable import FxAudio
import Testing

@Suite struct TempoMapTests {
  private func tempoMap(_ points: [TempoMap.Point], metre: Metre = .common) -> TempoMap? {
    var problem = 0
    return TempoMap.make(points, metre: metre, problem: &problem)
  }

  @Test func `beats of one tempo are time times tempo`() {
    let map = TempoMap(tempo: 90)
    #expect(map.beat(atSeconds: 2) == 3 && map.seconds(atBeat: 3) == 2 && map.isConstant)
    #expect(map.beat(atSeconds: -2) == -3)
  }

  @Test func `a tempo changes at its time or at its bar`() throws {
    let byTime = try #require(
      tempoMap([.init(.seconds(0), tempo: 120), .init(.seconds(4), tempo: 60)]))
    let byBar = try #require(tempoMap([.init(.bar(1), tempo: 120), .init(.bar(3), tempo: 60)]))
    for map in [byTime, byBar] {
      #expect(map.beat(atSeconds: 4) == 8 && map.beat(atSeconds: 6) == 10)
      #expect(map.tempo(atSeconds: 3.9) == 120 && map.tempo(atSeconds: 4) == 60)
      #expect(map.seconds(atBeat: 10) == 6 && !map.isConstant)
    }
  }

  @Test func `an even change of tempo has the beats of its integral`() throws {
    let map = try #require(
      tempoMap([
        .init(.seconds(0), tempo: 60), .init(.seconds(2), tempo: 60),
        .init(.bar(3), tempo: 180, isGradual: true), .init(.bar(4), tempo: 100),
      ]))
    // Six beats at 120 on the average.
    #expect(map.spans.map(\.start) == [0, 2, 5, 5 + 4.0 / 3])
    #expect(map.spans.map(\.beat) == [0, 2, 8, 12])
    // The trapezoid rule, which is exact for an even change.
    var beats = 2.0
    for step in 0..<3000 {
      let middle = 2 + (Double(step) + 0.5) / 1000
      beats += map.tempo(atSeconds: middle) / 60000
    }
    #expect(abs(beats - map.beat(atSeconds: 5)) < 1e-9)
    var last = -1.0
    for step in 0..<7000 {
      let seconds = Double(step) / 1000
      let beat = map.beat(atSeconds: seconds)
      #expect(beat > last)
      #expect(abs(map.seconds(atBeat: beat) - seconds) < 1e-12)
      last = beat
    }
  }

  @Test func `a metre counts bars from where it begins`() throws {
    let map = try #require(
      tempoMap(
        [.init(.bar(1), tempo: 60), .init(.bar(3), metre: Metre(beatsPerBar: 4, beatUnit: 4))],
        metre: Metre(beatsPerBar: 3, beatUnit: 4)))
    let spans = map.spans
    #expect(spans[0].place(ofBeat: 5).bar == 1 && spans[0].place(ofBeat: 5).beat == 2)
    #expect(spans[1].place(ofBeat: 6).bar == 2 && spans[1].place(ofBeat: 11).bar == 3)
    #expect(spans[1].place(ofBeat: 11).beat == 1 && spans[0].place(ofBeat: -1).bar == -1)
  }

  @Test func `points out of order make no map`() {
    var problem = 0
    let first = TempoMap.Point(.seconds(0), tempo: 120)
    for (points, number) in [
      ([first, .init(.seconds(3), tempo: 60), .init(.bar(2), tempo: 70)], 2),
      ([.init(.seconds(1), tempo: 120)], 0), ([.init(.bar(1))], 0),
      ([first, .init(.seconds(0), tempo: 60)], 1),
    ] {
      #expect(TempoMap.make(points, problem: &problem) == nil)
      #expect(problem == number)
    }
  }

  @Test func `a metre is written as a fraction`() {
    #expect(Metre("6/8") == Metre(beatsPerBar: 6, beatUnit: 8))
    for text in ["", "3", "3/", "/4", "0/4", "3/3", "3/4/4", "65/4", "a/4"] {
      #expect(Metre(text) == nil, "\(text)")
    }
  }
}
