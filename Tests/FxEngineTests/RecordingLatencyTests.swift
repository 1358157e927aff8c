import FxAudio
@testable import FxEngine
import Testing

/// A recording beside a playback: files wait for the recorded signal, monitoring does not.
@Suite struct RecordingLatencyTests {
  private let roundTrip = 192

  /// A voice that is recorded, a backing that is played, and a monitored mix of both.
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

  @Test func `files wait for the recorded signal, and monitoring does not`() throws {
    var fixture = studio()
    #expect(fixture.graph.setLateness(recording()) == [])
    let plan = try fixture.plan()
    #expect(latencies(plan) == ["ears": 0, "take": 192, "master": 192, "plain": 0])
    // Only the backing is delayed, and only on its path to the mix.
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

  @Test func `a monitored mix gets no delay, nor does a sink after it`() throws {
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

  @Test func `a performance that only records adds no delay`() throws {
    var fixture = GraphFixture()
    fixture.source("voice", channels: 1)
    fixture.sink("ears")
    fixture.sink("take")
    fixture.connect("voice -> ears")
    fixture.connect("voice -> take")
    #expect(fixture.graph.setLateness(recording()) == [])
    #expect(latencies(try fixture.plan()) == ["ears": 0, "take": 0])
  }

  @Test func `signals from outside are delayed before a loop`() throws {
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
