import FxRegression
import Testing

@Suite struct CostTests {
  private func costs(_ nodes: KeyValuePairs<String, Double>) -> NodeCosts {
    NodeCosts(
      total: nodes.reduce(0) { $0 + $1.value },
      nodes: nodes.map { .init(id: $0.key, cost: $0.value) })
  }

  @Test func `what stays within the tolerance is no slow-down`() {
    let then = costs(["a": 1, "b": 4])
    #expect(costs(["a": 1.2, "b": 4.9]).slowdowns(since: then, tolerance: 0.25).isEmpty)
    #expect(costs(["a": 0.5, "b": 2]).slowdowns(since: then, tolerance: 0).isEmpty)
  }

  @Test func `a slow-down names its node, the one that lost most first`() {
    let then = costs(["a": 1, "b": 4, "c": 2])
    let found = costs(["a": 1.5, "b": 8, "c": 2]).slowdowns(since: then, tolerance: 0.25)
    #expect(found.map(\.node) == ["b", "a"])
    #expect(found.first == .init(node: "b", then: 4, now: 8))
  }

  @Test func `a node that takes next to nothing is not judged`() {
    let then = costs(["a": 0.01, "b": 4])
    #expect(costs(["a": 0.03, "b": 4]).slowdowns(since: then, tolerance: 0.25).isEmpty)
    #expect(costs(["a": 2, "b": 4]).slowdowns(since: then, tolerance: 0.25).map(\.node) == ["a"])
  }

  @Test func `a little more of everything is the chain's slow-down`() {
    let nodes = (0..<40).map { NodeCosts.Node(id: "n\($0)", cost: 0.1) }
    let then = NodeCosts(total: 4, nodes: nodes)
    let now = NodeCosts(total: 6, nodes: nodes.map { .init(id: $0.id, cost: 0.15) })
    #expect(now.slowdowns(since: then, tolerance: 0.25).map(\.node) == [nil])
  }

  @Test func `a measurement has every node and what they take together`() throws {
    let folder = try CaseFolder()
    let testCase = try folder.testCase(
      #"{ "version": 1, "chain": [ { "unit": "reverb" }, { "unit": "gain" } ], "tail": "none" }"#)
    let costs = try CostMeasurement.costs(of: testCase, rounds: 1)
    #expect(costs.nodes.map(\.id) == ["gain", "reverb"])
    #expect(costs.nodes[1].cost > 0)
    #expect(abs(costs.total - costs.nodes.reduce(0) { $0 + $1.cost }) < 0.001)
  }
}
