import FxAudio
@testable import FxEngine
import Testing

@Suite struct MIDITimeTests {
  private func frames(_ messages: [(Double, [UInt8])], rate: Double = 1000) -> [MIDIEvent] {
    messages.map { TimedMIDI(seconds: $0.0, bytes: $0.1) }.events(sampleRate: rate)
  }

  @Test func `a note that is struck again ends first`() {
    let found = frames([
      (0, [0x90, 60, 1]), (1, [0xb0, 7, 1]), (1, [0x90, 60, 2]), (1, [0xc0, 3]),
      (1, [0x80, 60, 0]),
      (1, [0x90, 61, 0]), (2, [0x80, 60, 0]),
    ])
    #expect(found.map(\.frame) == [0, 1000, 1000, 1000, 1000, 1000, 2000])
    #expect(found.map(\.bytes.0) == [0x90, 0xb0, 0x80, 0x90, 0x90, 0xc0, 0x80])
    #expect(found.map(\.bytes.1) == [60, 7, 60, 61, 60, 3, 60])
  }

  @Test func `the end of another note moves before a beginning`() {
    let found = frames([(0, [0x90, 61, 1]), (1, [0x90, 60, 2]), (1, [0x80, 61, 0])])
    #expect(found.map(\.bytes.0) == [0x90, 0x80, 0x90])
  }

  @Test(arguments: [1e18, .infinity, .nan])
  func `an event beyond the largest time is not played at the beginning`(_ seconds: Double) {
    #expect(frames([(seconds, [0x90, 60, 1])]).map(\.frame) == [1_000_000_000_000_000])
  }

  @Test func `a note lasts a frame at least`() {
    let found = frames([(0.0001, [0x90, 60, 1]), (0.0002, [0x80, 60, 0])])
    #expect(found.map(\.frame) == [0, 1])
    #expect(found.map(\.bytes.0) == [0x90, 0x80])
  }

  @Test func `buses after the first one have no dry signal`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    fixture.unit(
      "u", inputs: [InputBusSpec("in", width: .exactly(1))],
      outputs: [
        OutputBusSpec("out", width: .exactly(1)), OutputBusSpec("level", width: .exactly(1)),
      ], rendersInPlace: false, keepsDry: true)
    fixture.sink("out")
    fixture.connect("in -> u -> out")
    let plan = try fixture.plan()
    let dry = plan.steps.compactMap { step -> [Int]? in
      if case .blend(_, let dry, _, _) = step { dry } else { nil }
    }
    #expect(dry == [[plan.sources[0].buffers[0], 0]])
  }

  @Test func `the nodes of a loop are known`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    for id in ["before", "a", "b", "after"] { fixture.unit(id) }
    fixture.sink("out")
    fixture.connect("in -> before -> a -> b -> after -> out")
    fixture.connect("b -> a", feedback: 0.1)
    #expect(try fixture.graph.resolved().nodesInLoops() == [2, 3])
  }
}
