import FxAudio
@testable import FxEngine
import Testing

/// Plans that are divided into tasks.
struct TaskTests {
  private func strips(_ count: Int) throws -> (plan: RenderPlan, graph: ResolvedGraph) {
    var fixture = GraphFixture()
    fixture.source("in", channels: 2)
    for strip in 0..<count {
      fixture.unit("a\(strip)")
      fixture.unit("b\(strip)")
    }
    fixture.unit("mix")
    fixture.sink("out")
    for strip in 0..<count { fixture.connect("in -> a\(strip) -> b\(strip) -> mix") }
    fixture.connect("mix -> out")
    // Two nodes are enough for a task.
    return (try plan(fixture, cost: 2), try fixture.graph.resolved())
  }

  private func plan(_ fixture: GraphFixture, cost: Double = 10) throws -> RenderPlan {
    let costs = fixture.graph.nodes.map { node -> Double in
      if case .unit = node.content { cost } else { 0 }
    }
    return try GraphCompiler(
      fixture.graph.resolved(), latencies: fixture.latencies, sampleRate: 48000,
      partition: Partition(costs: costs, threads: 2)
    ).compile()
  }

  @Test func `a straight chain has one task per node, each waiting for the one before`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 2)
    for name in ["a", "b", "c"] { fixture.unit(name) }
    fixture.sink("out")
    fixture.connect("in -> a -> b -> c -> out")
    let plan = try plan(fixture)
    #expect(plan.tasks.map(\.waitsFor) == [[], [0], [1]])
    // Each task has the buffers of its inputs and outputs.
    #expect(plan.sharedBuffers.count == 8)
  }

  @Test func `strips wait for nothing, and the task with the mixer waits for all others`() throws {
    #expect(try strips(4).plan.tasks.map(\.waitsFor) == [[], [], [], [0, 1, 2]])
  }

  @Test func `cheap nodes share a task, and a cheap chain is not divided`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 2)
    let names = (0..<40).map { "u\($0)" }
    for name in names { fixture.unit(name) }
    fixture.sink("out")
    fixture.connect((["in"] + names + ["out"]).joined(separator: " -> "))
    let plan = try plan(fixture, cost: 1)
    #expect(plan.tasks.count > 3 && plan.tasks.count < 12)
    #expect(plan.tasks.allSatisfy { $0.cost >= Partition.least || $0 == plan.tasks.last })
    #expect(try self.plan(fixture, cost: 0.1).tasks.isEmpty)
  }

  @Test func `a loop is one task`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 2)
    for name in ["before", "a", "b", "behind"] { fixture.unit(name) }
    fixture.sink("out")
    fixture.connect("in -> before -> a -> b -> behind -> out")
    fixture.connect("b -> a", feedback: 0.1)
    let plan = try plan(fixture)
    #expect(plan.tasks.map(\.cost) == [10, 20, 10])
  }

  @Test func `filters that share a pass are one task, and cost less than apart`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 2)
    for name in ["a", "b", "c", "d", "e"] { fixture.unit(name) }
    fixture.sink("out")
    fixture.connect("in -> a -> b -> c -> d -> e -> out")
    var partition = Partition(costs: fixture.graph.nodes.map { _ in 10 }, threads: 2)
    func tasks() throws -> [Double] {
      try GraphCompiler(
        fixture.graph.resolved(), latencies: fixture.latencies, sampleRate: 48000,
        partition: partition
      ).compile().tasks.map(\.cost)
    }
    #expect(try tasks().count == 5)
    partition.filterCounts = fixture.graph.nodes.map { ["b", "c", "d"].contains($0.id) ? 1 : 0 }
    #expect(try tasks() == [10, 18, 10])
    // A filter with a second reader does not share a pass with the next filter.
    fixture.unit("f")
    fixture.connect("b -> f -> e")
    partition.costs.append(10)
    partition.filterCounts.append(0)
    #expect(try tasks().count == 5)
  }

  @Test func `one heavy node is not worth a second thread`() throws {
    var fixture = GraphFixture()
    fixture.source("in", channels: 2)
    fixture.unit("a")
    fixture.sink("out")
    fixture.connect("in -> a -> out")
    #expect(try plan(fixture, cost: 100).tasks.isEmpty)
  }

  @Test(arguments: 0..<6)
  func `a plan whose tasks could meet in memory is refused`(_ mistake: Int) throws {
    var (plan, graph) = try strips(4)
    try TaskCheck(plan, graph: graph.graph).verify()
    switch mistake {
    case 0: plan.tasks[plan.tasks.count - 1].waitsFor.removeFirst()
    case 1: plan.sharedBuffers.removeAll()
    case 2: plan.tasks.removeLast()
    case 3: plan.tasks[0].waitsFor = [1]
    case 4:
      // Two strips work in one buffer.
      let owned = plan.steps.map { $0.writes.filter { !plan.sharedBuffers.contains($0) } }
      let buffers = owned.flatMap { $0 }
      plan.steps = plan.steps.map { $0.mapped { buffers.contains($0) ? buffers[0] : $0 } }
    default:
      // Two strips give their sound to the mixer in one buffer.
      let mixed = plan.steps.last?.reads ?? []
      let other = plan.tasks[1].sections.flatMap { plan.steps[plan.sections[$0].steps] }
      let written = other.flatMap(\.writes).first { plan.sharedBuffers.contains($0) } ?? 0
      let first = plan.steps.flatMap(\.writes).first { plan.sharedBuffers.contains($0) } ?? 0
      #expect(written != first && !mixed.isEmpty)
      plan.steps = plan.steps.map { $0.mapped { $0 == written ? first : $0 } }
    }
    #expect(throws: GraphError.self) { try TaskCheck(plan, graph: graph.graph).verify() }
  }
}
