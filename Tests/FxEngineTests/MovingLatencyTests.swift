import FxAudio
@testable import FxEngine
import Testing

/// Plans of graphs in which a latency may change while they run.
@Suite struct MovingLatencyTests {
  private func plan(
    _ fixture: GraphFixture, latencies: [String: Int], moving: [String: Int]
  ) throws -> RenderPlan {
    func byNode(_ values: [String: Int]) -> [Int: Int] {
      var result: [Int: Int] = [:]
      for (index, node) in fixture.graph.nodes.enumerated() {
        if let value = values[node.id] { result[index] = value }
      }
      return result
    }
    var all = fixture.latencies
    for (node, latency) in byNode(latencies) { all[node] = latency }
    return try GraphCompiler(
      fixture.graph.resolved(), latencies: all, limits: byNode(moving), sampleRate: 48000
    ).compile()
  }

  private func parallel(keepsDry: Bool = false) -> GraphFixture {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    fixture.unit("plugin", keepsDry: keepsDry)
    fixture.sink("out")
    return fixture
  }

  @Test func `a straight chain needs no delay line`() throws {
    var fixture = parallel()
    fixture.unit("after", latency: 7)
    fixture.connect("in -> plugin -> after -> out")
    let plan = try plan(fixture, latencies: [:], moving: ["plugin": 1000])
    #expect(plan.delayLines.isEmpty)
    #expect(plan.latencyLimit == 1007)
    #expect(
      try self.plan(fixture, latencies: ["plugin": 9], moving: ["plugin": 1000]).latency == 16)
  }

  @Test
  func `only the branch that may become early gets a delay line, even before there is a delay`()
    throws
  {
    var fixture = parallel()
    fixture.connect("in -> plugin -> out")
    fixture.connect("in -> out", gain: -1)
    let plan = try plan(fixture, latencies: [:], moving: ["plugin": 1000])
    #expect(plan.delayLines == [0])
    #expect(plan.movingLines == [0: 1000])
    #expect(plan.description.contains("b1 -> b1   0 frames, at most 1000"))
    let later = try self.plan(fixture, latencies: ["plugin": 30], moving: ["plugin": 1000])
    #expect(later.delayLines == [30])
    #expect(later.differsInDelaysAlone(from: plan))
    #expect(later.latency == 30)
  }

  @Test func `a dry signal follows in its own delay line`() throws {
    var fixture = parallel(keepsDry: true)
    fixture.connect("in -> plugin -> out")
    fixture.connect("in -> out", gain: -1)
    let plan = try plan(fixture, latencies: ["plugin": 5], moving: ["plugin": 500])
    #expect(plan.delayLines == [5, 5])
    #expect(plan.movingLines == [0: 500, 1: 500])
  }

  @Test func `both branches have a delay line where either may become later`() throws {
    var fixture = parallel()
    fixture.unit("other", latency: 0)
    fixture.connect("in -> plugin -> out")
    fixture.connect("in -> other -> out")
    let moving = ["plugin": 1000, "other": 2000]
    let plan = try plan(fixture, latencies: ["plugin": 10], moving: moving)
    #expect(plan.delayLines.sorted() == [0, 10])
    #expect(plan.movingLines == [0: 2000, 1: 2000])
    let swapped = try self.plan(fixture, latencies: ["other": 3], moving: moving)
    #expect(swapped.differsInDelaysAlone(from: plan))
    #expect(swapped.delayLines.sorted() == [0, 3])
  }

  @Test func `signals that share the moving latency keep their fixed delay`() throws {
    var fixture = parallel()
    fixture.unit("fixed", latency: 64)
    fixture.connect("in -> plugin -> fixed -> out")
    fixture.connect("plugin -> out")
    let plan = try plan(fixture, latencies: ["plugin": 10], moving: ["plugin": 1000])
    #expect(plan.delayLines == [64])
    #expect(plan.movingLines.isEmpty)
  }

  @Test func `aligned sinks follow each other`() throws {
    var fixture = parallel()
    fixture.sink("second")
    fixture.connect("in -> plugin -> out")
    fixture.connect("in -> second")
    let plan = try plan(fixture, latencies: ["plugin": 8], moving: ["plugin": 1000])
    #expect(plan.delayLines == [8])
    #expect(plan.sinks.map(\.latency) == [8, 8])
    #expect(plan.movingLines == [0: 1000])
  }

  @Test func `a loop keeps its steps while its delay covers the latency`() throws {
    var fixture = parallel()
    fixture.connect("in -> plugin -> out")
    fixture.connect("plugin -> plugin", gain: 0.5, feedback: 0.01)
    let plan = try plan(fixture, latencies: ["plugin": 0], moving: ["plugin": 1000])
    let later = try self.plan(fixture, latencies: ["plugin": 100], moving: ["plugin": 1000])
    #expect(later.differsInDelaysAlone(from: plan))
    #expect(plan.feedbackLines.map(\.frames) == [480])
    #expect(later.feedbackLines.map(\.frames) == [380])
    #expect(throws: GraphError.feedbackDelayTooShort(connection: 2, delay: 480, loopLatency: 480)) {
      _ = try self.plan(fixture, latencies: ["plugin": 480], moving: ["plugin": 1000])
    }
  }

  @Test func `a plan that moves differs from one with another step`() throws {
    var fixture = parallel()
    fixture.connect("in -> plugin -> out")
    let plan = try plan(fixture, latencies: [:], moving: ["plugin": 1000])
    fixture.connect("in -> out")
    let other = try self.plan(fixture, latencies: [:], moving: ["plugin": 1000])
    #expect(!other.differsInDelaysAlone(from: plan))
  }
}
