import FxAudio
@testable import FxEngine
import Testing

/// The nodes that two graphs share.
@Suite struct GraphChangeTests {
  private func graph(_ ways: String..., feedback: [String] = []) throws -> ResolvedGraph {
    try fixture(ways, feedback: feedback).graph.resolved()
  }

  private func fixture(_ ways: [String], feedback: [String] = []) -> GraphFixture {
    var fixture = GraphFixture()
    for way in ways {
      for stop in way.split(separator: " -> ").map({ String($0.prefix { $0 != ":" }) })
      where !fixture.graph.nodes.contains(where: { $0.id == stop }) {
        if stop.hasPrefix("in") {
          fixture.source(stop, channels: 1)
        } else if stop.hasPrefix("out") {
          fixture.sink(stop)
        } else {
          fixture.unit(stop)
        }
      }
      fixture.connect(way)
    }
    for way in feedback { fixture.connect(way, feedback: 0.1) }
    return fixture
  }

  /// Ids of kept units, in the new graph's order.
  private func kept(_ change: GraphChange, in graph: ResolvedGraph) -> [String] {
    change.kept.indices.filter { change.kept[$0] != nil }.map { graph.graph.nodes[$0].id }
      .filter { !$0.hasPrefix("in") && !$0.hasPrefix("out") }
  }

  @Test func `a different order of nodes and different names of endpoints change nothing`() throws {
    let old = try graph("in -> a -> b -> out", "in2 -> c -> out2")
    let new = try graph("in2 -> c -> out2", "in -> a -> b -> out")
    let change = try GraphChange(from: old, to: new)
    #expect(!change.isStructural)
    #expect(change.removed.isEmpty)
    #expect(change.sourceOrder == [1, 0])
    #expect(change.sinkOrder == [1, 0])
  }

  @Test(
    arguments: [
      (-40.0, 40.0, "in -> x -> a -> b -> out", ["b"]),
      (-40, -35, "in -> x -> a -> b -> out", ["a", "b"]),
      (-40, -.infinity, "in -> a -> b -> x -> out", []),
      // Elsewhere, or nowhere, nothing changes.
      (-40, 40, "in -> a -> b -> out", ["a", "b"]),
    ] as [(Double, Double, String, [String])])
  func `a large change of level beside another change rebuilds its node`(
    _ before: Double, _ after: Double, _ way: String, _ stay: [String]
  ) throws {
    func graph(_ way: String, _ level: Double) throws -> ResolvedGraph {
      var fixture = fixture([way])
      guard let node = fixture.graph.nodes.firstIndex(where: { $0.id == "a" }),
        case .unit(var unit) = fixture.graph.nodes[node].content
      else { return try fixture.graph.resolved() }
      let spec = ParameterSpec("gain", "Gain", .decibels, -90...90, default: 0)
      unit.parameters = [ParameterSlot(path: "gain", spec: spec)]
      unit.values = [level]
      fixture.graph.nodes[node].content = .unit(unit)
      return try fixture.graph.resolved()
    }
    let new = try graph(way, after)
    let change = try GraphChange(from: graph("in -> a -> b -> out", before), to: new)
    #expect(kept(change, in: new) == stay)
    #expect(change.values.map(\.value) == (stay.contains("a") ? [after] : []))
  }

  @Test func `values alone are reported with their nodes in both graphs`() throws {
    func graph(_ value: Double, _ first: String) throws -> ResolvedGraph {
      var fixture = GraphFixture()
      fixture.source("in", channels: 1)
      for id in [first, first == "a" ? "b" : "a"] { fixture.unit(id) }
      fixture.sink("out")
      fixture.connect("in -> a -> b -> out")
      for node in fixture.graph.nodes.indices {
        guard case .unit(var unit) = fixture.graph.nodes[node].content else { continue }
        unit.parameters = [
          ParameterSlot(
            path: "gain", spec: ParameterSpec("gain", "Gain", .ratio, 0...1, default: 0))
        ]
        unit.values = [fixture.graph.nodes[node].id == "b" ? value : 0]
        fixture.graph.nodes[node].content = .unit(unit)
      }
      return try fixture.graph.resolved()
    }
    let change = try GraphChange(from: graph(0.25, "a"), to: graph(0.75, "b"))
    #expect(!change.isStructural)
    #expect(change.values.count == 1)
    #expect(change.values.first?.oldNode == 2)
    #expect(change.values.first?.node == 1)
    #expect(change.values.first?.value == 0.75)
    #expect(change.values.first?.automatedFrom == nil)
    // Played with a different value than the chain has.
    let played = try graph(0.25, "a").replacingValues([2: [0: 0.75]])
    #expect(try GraphChange(from: played, to: graph(0.75, "b")).values.isEmpty)
  }

  @Test func `a gain, a reordered sum and an added path are structural changes`() throws {
    let old = try graph("in -> a -> b -> out", "in -> b")
    for new in [
      try graph("in -> b", "in -> a -> b -> out"), try graph("in -> a -> b -> out"),
      try graph("in -> a -> b -> out", "in -> b", "a -> out"),
    ] {
      let change = try GraphChange(from: old, to: new)
      #expect(change.isStructural)
      #expect(change.removed.isEmpty)
    }
  }

  @Test(
    arguments: [
      ("in -> a -> c -> b -> d -> e -> out", ["a", "d", "e"]),
      ("in -> a -> c -> d -> b -> e -> out", ["a", "e"]),
      ("in -> b -> c -> d -> e -> a -> out", []),
      // Nodes added and removed between the same neighbours, and at two places.
      ("in -> a -> b -> x -> y -> d -> e -> out", ["a", "b", "d", "e"]),
      ("in -> a -> x -> b -> c -> e -> out", ["a", "e"]),
    ] as [(String, [String])])
  func `moved nodes and the nodes that they passed are rebuilt`(
    _ way: String, _ stay: [String]
  ) throws {
    let old = try graph("in -> a -> b -> c -> d -> e -> out")
    let new = try graph(way)
    #expect(kept(try GraphChange(from: old, to: new), in: new) == stay)
    let back = try GraphChange(from: new, to: old)
    #expect(kept(back, in: old).count == stay.count)
  }

  @Test func `changes that only add or only remove paths keep all nodes`() throws {
    let old = try graph("in -> a -> b -> out", "in2 -> c -> out")
    let more = try graph("in -> a -> b -> out", "in2 -> c -> out", "in2 -> a", "b -> c")
    #expect(kept(try GraphChange(from: old, to: more), in: more) == ["a", "b", "c"])
    #expect(kept(try GraphChange(from: more, to: old), in: old) == ["a", "b", "c"])
  }

  @Test func `nodes that are rebuilt in place do not count as moved`() throws {
    let old = try graph("in -> a -> b -> c -> out")
    #expect(kept(try GraphChange(from: old, to: old, fresh: [1, 3]), in: old) == ["b"])
  }

  @Test func `a loop stays as a whole or not at all`() throws {
    let old = try graph("in -> a -> b -> out", feedback: ["b -> a"])
    let same = try graph("in -> c -> a -> b -> out", feedback: ["b -> a"])
    #expect(kept(try GraphChange(from: old, to: same), in: same) == ["a", "b"])
    let wider = try graph("in -> a -> c -> b -> out", feedback: ["b -> a"])
    #expect(kept(try GraphChange(from: old, to: wider), in: wider) == [])
    let other = try graph("in -> a -> b -> out", feedback: ["b -> b"])
    #expect(kept(try GraphChange(from: old, to: other), in: other) == [])
    let open = try graph("in -> a -> b -> out")
    #expect(kept(try GraphChange(from: old, to: open), in: open) == [])
    #expect(kept(try GraphChange(from: open, to: old), in: old) == [])
  }

  @Test func `a node outside a loop is not kept if old and new paths would put it into the loop`()
    throws
  {
    // The old path leads from the loop through c to k, the new one from k into the loop.
    let old = try graph("in -> a -> b -> c -> k -> out", feedback: ["b -> a"])
    let new = try graph("in -> k -> a -> b -> out", feedback: ["b -> a"])
    #expect(kept(try GraphChange(from: old, to: new), in: new) == [])
  }

  @Test func `a node that is marked as fresh is not kept`() throws {
    let old = try graph("in -> a -> b -> out")
    let change = try GraphChange(from: old, to: old, fresh: [1])
    #expect(kept(change, in: old) == ["b"])
    #expect(change.isStructural)
  }

  @Test func `endpoints that are added, removed or change their width are refused by name`() throws
  {
    let old = try graph("in -> a -> out")
    let more = try graph("in -> a -> out", "a -> out2")
    #expect(throws: GraphChangeError.endpointAdded(3)) { try GraphChange(from: old, to: more) }
    #expect(throws: GraphChangeError.endpointRemoved(3)) { try GraphChange(from: more, to: old) }
    var wide = GraphFixture()
    wide.source("in", channels: 2)
    wide.unit("a")
    wide.sink("out")
    wide.connect("in -> a -> out")
    #expect(throws: GraphChangeError.endpointWidth(0, was: 1, now: 2)) {
      try GraphChange(from: old, to: wide.graph.resolved())
    }
  }

  /// A thousand units. Every tenth differs, and those in between are kept or rebuilt.
  @Test func `the steps to compare and crossfade a long chain grow in proportion to its length`()
    throws
  {
    func row(_ ids: [String]) throws -> Crossfade.Side {
      let fixture = fixture([(["in"] + ids + ["out"]).joined(separator: " -> ")])
      let graph = try fixture.graph.resolved()
      return Crossfade.Side(
        graph,
        try GraphCompiler(graph, latencies: fixture.latencies, sampleRate: 48000).compile())
    }
    func steps(_ count: Int, renames: Bool) throws -> (kept: Int, steps: Int) {
      let ids = (0..<count).map { "n\($0)" }
      let others = ids.indices.filter { $0 % 10 == 5 }
      let changed = ids.enumerated().map { renames && $0 % 10 == 5 ? "x\($0)" : $1 }
      let (old, new) = (try row(ids), try row(changed))
      let change = try GraphChange(
        from: old.graph, to: new.graph, fresh: Set(others.map { $0 + 1 }))
      let crossfade = try Crossfade(
        from: old, to: new, change: change,
        tails: (old.plan.nodes.map { _ in .none }, new.plan.nodes.map { _ in .none }),
        sampleRate: 48000)
      return (change.kept.compactMap { $0 }.count, crossfade.plan.steps.count)
    }
    #expect(try steps(1000, renames: false) == (902, 1200))
    #expect(try steps(1000, renames: true) == (11, 1992))
  }
}
