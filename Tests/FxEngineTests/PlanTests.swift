import FxAudio
@testable import FxEngine
import Testing

@Suite struct PlanTests {
  @Test func `an empty chain reads and writes the same buffers`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 2)
    fixture.sink("out")
    fixture.connect("in -> out")
    let plan = try fixture.plan()
    #expect(plan.steps.isEmpty)
    #expect(plan.sources[0].buffers == plan.sinks[0].buffers)
  }

  @Test func `a straight chain renders in place`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 2)
    for id in ["a", "b", "c"] { fixture.unit(id) }
    fixture.sink("out")
    fixture.connect("in -> a -> b -> c -> out")
    let plan = try fixture.plan()
    #expect(plan.bufferCount == 3)
    #expect(
      plan.description == """
        5 nodes, 3 steps, 3 buffers, latency 0 frames
        source   in              -> b1 b2
        run      a               b1 b2 -> b1 b2
        run      b               b1 b2 -> b1 b2
        run      c               b1 b2 -> b1 b2
        sink     out             <- b1 b2
        """)
  }

  @Test func `a branch waits for the one that is late`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    fixture.unit("limiter", latency: 240)
    fixture.unit("dry")
    fixture.sink("out")
    fixture.connect("in -> limiter -> out")
    fixture.connect("in -> dry")
    fixture.connect("dry -> out", gain: 0.5)
    let plan = try fixture.plan()
    #expect(plan.delayLines == [240])
    #expect(plan.latency == 240)
    #expect(
      plan.description == """
        4 nodes, 4 steps, 3 buffers, latency 240 frames
        source   in              -> b1
        run      limiter         b1 -> b2   latency 240
        run      dry             b1 -> b1
        delay                    b1 -> b1   240 frames
        sum                      b2 + 0.5·b1 -> b2
        sink     out             <- b2   late by 240
        """)
  }

  @Test func `a side-chain arrives with the signal that it keys`() throws {
    var fixture = GraphFixture()
    fixture.source("voice", channels: 1)
    fixture.source("music", channels: 2)
    fixture.unit("late", latency: 64)
    fixture.unit("duck", inputs: [.main, .sidechain])
    fixture.sink("out")
    fixture.connect("music -> late -> duck -> out")
    fixture.connect("voice -> duck:1")
    #expect(try fixture.plan().delayLines == [64])
  }

  @Test func `the dry signal is as late as the wet one`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 2)
    fixture.unit("late", latency: 100, keepsDry: true)
    fixture.sink("out")
    fixture.connect("in -> late -> out")
    let plan = try fixture.plan()
    #expect(plan.delayLines == [100, 100])
    #expect(plan.steps.contains { if case .blend = $0 { true } else { false } })
  }

  @Test func `a mono input is the dry signal of both channels`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    fixture.unit(
      "spread", outputs: [OutputBusSpec("out", width: .exactly(2))], rendersInPlace: false,
      keepsDry: true)
    fixture.sink("out")
    fixture.connect("in -> spread -> out")
    let plan = try fixture.plan()
    let dry = plan.steps.compactMap { step -> [Int]? in
      if case .blend(_, let dry, _, _) = step { dry } else { nil }
    }
    let source = plan.sources[0].buffers[0]
    #expect(dry == [[source, source]])
  }

  @Test func `sinks are aligned unless one asks not to be`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    fixture.unit("late", latency: 10)
    fixture.sink("take")
    fixture.sink("ears", isAligned: false)
    fixture.sink("mix")
    fixture.connect("in -> late -> mix")
    fixture.connect("in -> take")
    fixture.connect("in -> ears")
    #expect(try fixture.plan().sinks.map(\.latency) == [10, 0, 10])
  }

  @Test func `a plugin never shares memory with its input`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    fixture.unit("plugin", rendersInPlace: false)
    fixture.sink("out")
    fixture.connect("in -> plugin -> out")
    guard case .run(_, let inputs, let outputs)? = try fixture.plan().steps.first else {
      Issue.record("no run step")
      return
    }
    #expect(Set(inputs).isDisjoint(with: outputs))
  }

  @Test func `a loop is cut into slices of its delay less its latency`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    fixture.unit("mix")
    fixture.unit("late", latency: 20)
    fixture.sink("out")
    fixture.connect("in -> mix -> late -> out")
    fixture.connect("late -> mix", feedback: 0.01)
    let plan = try fixture.plan()
    #expect(plan.sections.map(\.slice) == [460])
    #expect(plan.feedbackLines.map(\.frames) == [460])
  }

  @Test func `a loop shorter than its latency is refused`() {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    fixture.unit("late", latency: 500)
    fixture.sink("out")
    fixture.connect("in -> late -> out")
    fixture.connect("late -> late", feedback: 0.01)
    #expect(
      throws: GraphError.feedbackDelayTooShort(connection: 2, delay: 480, loopLatency: 500)
    ) { try fixture.plan() }
  }

  @Test func `feedback that closes no loop is refused`() {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    fixture.unit("a")
    fixture.sink("out")
    fixture.connect("in -> a -> out")
    fixture.connect("in -> a", feedback: 0.01)
    #expect(throws: GraphError.feedbackClosesNoLoop(connection: 2)) { try fixture.plan() }
  }

  @Test func `a cycle is refused with its path`() {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    for id in ["a", "b", "c"] { fixture.unit(id) }
    fixture.sink("out")
    fixture.connect("in -> a -> b -> c -> a")
    fixture.connect("c -> out")
    #expect(throws: GraphError.cycle([1, 2, 3])) { try fixture.plan() }
  }

  @Test func `tails add up along the longest way`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    for id in ["a", "b", "c"] { fixture.unit(id) }
    fixture.sink("out")
    fixture.connect("in -> a -> b -> out")
    fixture.connect("in -> c -> out")
    let graph = try fixture.graph.resolved()
    #expect(
      try graph.tail(of: [.none, .frames(10), .frames(20), .frames(25), .none])
        == GraphTail(declaredFrames: 30))
    #expect(
      try graph.tail(of: [.none, .frames(10), .unknown, .none, .none])
        == GraphTail(declaredFrames: 10, isOpenEnded: true))
  }

  @Test func `a loop leaves the tail open, and says how long it may be silent`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 1)
    fixture.unit("echo")
    fixture.sink("out")
    fixture.connect("in -> echo -> out")
    fixture.connect("echo -> echo", feedback: 0.75)
    #expect(
      try fixture.graph.resolved().tail(of: [.none, .frames(5), .none])
        == GraphTail(declaredFrames: 5, isOpenEnded: true, longestLoop: 0.75))
  }

  @Test func `the work of compiling grows in proportion to the chain`() throws {
    for count in [2000, 4000] {
      var fixture = GraphFixture()
      fixture.source("in", channels: 2)
      fixture.graph.nodes.append(
        contentsOf: (0..<count).map {
          Graph.Node(
            id: "n\($0)",
            content: .unit(
              UnitConfiguration(
                kind: .builtIn(name: "n", revision: 1), parameters: [], values: [])),
            inputs: [.main], outputs: [.main])
        })
      fixture.latencies = [0] + [Int](repeating: 1, count: count) + [0]
      fixture.graph.nodes.append(
        Graph.Node(
          id: "out", content: .sink(.output("out"), isAligned: true), inputs: [.main], outputs: []))
      fixture.graph.connections = (0...count).map {
        Connection(from: .init(node: $0), to: .init(node: $0 + 1))
      }
      let plan = try fixture.plan()
      #expect(plan.steps.count == count)
      #expect(plan.bufferCount == 3)
      #expect(plan.latency == count)
    }
  }

  @Test func `each step knows how often its output is read`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 2)
    for name in ["a", "b", "c"] { fixture.unit(name) }
    for name in ["out", "side"] { fixture.sink(name) }
    fixture.connect("in -> a -> b -> c -> out")
    fixture.connect("b -> side")
    let plan = try fixture.plan()
    let counts = zip(plan.steps, plan.readCounts).compactMap { step, count in
      if case .run = step { count } else { nil }
    }
    #expect(counts == [2, 4, 2])
  }
}
