import FxGraph
import Testing

/// What is recorded beside what is played: files wait for it, what is heard does not.
@Suite struct RecordingLatencyTests {
  private let roundTrip = 192

  /// A voice that is recorded, a backing that is played, and what is heard of both.
  private func studio() -> GraphFixture {
    var fixture = GraphFixture()
    fixture.source("voice", channels: 1)
    fixture.source("backing", channels: 1)
    fixture.unit("voiceLevel")
    fixture.unit("phones")
    fixture.unit("mix")
    for sink in ["ears", "take", "master", "plain"] { fixture.sink(sink) }
    for way in [
      "voice -> voiceLevel -> phones -> ears", "backing -> phones", "voice -> take",
      "voiceLevel -> mix -> master", "backing -> mix", "backing -> plain",
    ] { fixture.connect(way) }
    return fixture
  }

  private func recording() -> RecordingLatency {
    RecordingLatency(frames: roundTrip, heard: .output("ears")) { $0.inputName == "voice" }
  }

  private func latencies(_ plan: RenderPlan) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: plan.sinks.map { (plan.nodes[$0.node].id, $0.latency) })
  }

  @Test func `files wait for what is recorded, and what is heard does not`() throws {
    var fixture = studio()
    #expect(fixture.graph.setLateness(recording()) == [])
    let plan = try fixture.plan()
    #expect(latencies(plan) == ["ears": 0, "take": 192, "master": 192, "plain": 0])
    // The backing alone, on its way to the mix alone.
    #expect(plan.delayLines == [192])
    #expect(plan.latency == 0)
  }

  @Test func `the latency of a unit comes on top of the round trip`() throws {
    var fixture = studio()
    fixture.unit("limiter", latency: 58)
    fixture.graph.connections.removeAll { $0.to.node == 7 }
    fixture.connect("mix -> limiter -> master")
    _ = fixture.graph.setLateness(recording())
    let plan = try fixture.plan()
    #expect(latencies(plan) == ["ears": 58, "take": 250, "master": 250, "plain": 58])
    #expect(plan.latency == 58)
  }

  @Test func `a mix that is heard stays as it is heard, and so does what follows it`() throws {
    var fixture = studio()
    fixture.unit("after")
    fixture.sink("again")
    fixture.connect("phones -> after -> again")
    let again = fixture.graph.nodes.count - 1
    #expect(fixture.graph.setLateness(recording()) == [again])
    #expect(latencies(try fixture.plan())["again"] == 0)
  }

  @Test func `a sink that is not aligned keeps the round trip`() throws {
    var fixture = studio()
    fixture.sink("raw", isAligned: false)
    fixture.connect("voice -> raw")
    _ = fixture.graph.setLateness(recording())
    #expect(latencies(try fixture.plan())["raw"] == 0)
  }

  @Test func `a performance that records alone has nothing to wait for`() throws {
    var fixture = GraphFixture()
    fixture.source("voice", channels: 1)
    fixture.sink("ears")
    fixture.sink("take")
    fixture.connect("voice -> ears")
    fixture.connect("voice -> take")
    #expect(fixture.graph.setLateness(recording()) == [])
    #expect(latencies(try fixture.plan()) == ["ears": 0, "take": 0])
  }

  @Test func `signals from outside wait in front of a loop`() throws {
    var fixture = studio()
    fixture.unit("echo")
    fixture.graph.connections.removeAll { $0.to.node == 7 }
    fixture.connect("mix -> echo -> master")
    fixture.connect("echo -> mix", feedback: 0.1)
    _ = fixture.graph.setLateness(recording())
    let plan = try fixture.plan()
    #expect(latencies(plan)["master"] == 192)
    #expect(plan.delayLines == [192])
  }
}
