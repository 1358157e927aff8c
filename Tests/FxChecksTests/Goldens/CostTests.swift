import FxChain
@testable import FxChecks
import Testing

@Suite struct CostTests {
  private func costs(_ nodes: KeyValuePairs<String, Double>) -> NodeCosts {
    NodeCosts(
      total: nodes.reduce(0) { $0 + $1.value },
      nodes: nodes.map { .init(id: $0.key, cost: $0.value) })
  }

  @Test func `a cost within the tolerance is no slow-down`() {
    let then = costs(["a": 1, "b": 4])
    #expect(costs(["a": 1.2, "b": 4.9]).slowdowns(since: then, tolerance: 0.25).isEmpty)
    #expect(costs(["a": 0.5, "b": 2]).slowdowns(since: then, tolerance: 0).isEmpty)
  }

  @Test func `slow-downs name their nodes, the largest first`() {
    let then = costs(["a": 1, "b": 4, "c": 2])
    let found = costs(["a": 1.5, "b": 8, "c": 2]).slowdowns(since: then, tolerance: 0.25)
    #expect(found.map(\.node) == ["b", "a"])
    #expect(found.first == .init(node: "b", then: 4, now: 8))
  }

  @Test func `a node that takes almost no time is ignored`() {
    let then = costs(["a": 0.01, "b": 4])
    #expect(costs(["a": 0.03, "b": 4]).slowdowns(since: then, tolerance: 0.25).isEmpty)
    #expect(costs(["a": 2, "b": 4]).slowdowns(since: then, tolerance: 0.25).map(\.node) == ["a"])
  }

  @Test func `many small slow-downs are a slow-down of the chain`() {
    let nodes = (0..<40).map { NodeCosts.Node(id: "n\($0)", cost: 0.1) }
    let then = NodeCosts(total: 4, nodes: nodes)
    let now = NodeCosts(total: 6, nodes: nodes.map { .init(id: $0.id, cost: 0.15) })
    #expect(now.slowdowns(since: then, tolerance: 0.25).map(\.node) == [nil])
  }

  @Test func `a measurement has every node and the total`() throws {
    let folder = CaseFolder()
    let testCase = try folder.testCase(
      #"{ "version": 1, "chain": [ { "unit": "reverb" }, { "unit": "gain" } ], "tail": "none" }"#)
    let costs = try CostMeasurement.costs(of: testCase, rounds: 1)
    #expect(costs.nodes.map(\.id) == ["gain", "reverb"])
    #expect(costs.nodes[1].cost > 0)
    #expect(abs(costs.total - costs.nodes.reduce(0) { $0 + $1.cost }) < 0.001)
  }
}

@Suite struct CostVerdictTests {
  private let folder = CaseFolder()
  private let chain =
    #"{ "version": 1, "chain": [ { "unit": "reverb" }, { "unit": "gain" } ], "tail": "none" }"#

  /// A case whose golden has the reverb's present cost times `factor`.
  private func testCase(golden factor: Double?) throws -> TestCase {
    var testCase = try folder.testCase(chain)
    testCase.cost = TestCase.Cost(tolerance: 0.5)
    var manifest = try CaseRun.record(testCase, into: "\(folder.path)/golden")
    let node = try #require(manifest.cost?.nodes.first { $0.id == "reverb" })
    manifest.cost = factor.map { factor in
      NodeCosts(
        total: node.cost * factor + 0.01,
        nodes: [.init(id: "gain", cost: 0.01), .init(id: "reverb", cost: node.cost * factor)])
    }
    try WholeFile.write(manifest.json.text(), to: testCase.manifestPath)
    return testCase
  }

  @Test func `a chain that has become four times slower names the slow node`() throws {
    let verdict = CaseRun.costVerdict(of: try testCase(golden: 0.25))
    guard case .differs = verdict.outcome else {
      Issue.record("\(verdict)")
      return
    }
    #expect(verdict.slowdowns.map(\.node) == ["reverb"])
  }

  @Test func `a faster chain passes, and so does a golden without a cost`() throws {
    let cheaper = CaseRun.costVerdict(of: try testCase(golden: 50))
    let unknown = CaseRun.costVerdict(of: try testCase(golden: nil))
    guard case .passed = cheaper.outcome, case .passed = unknown.outcome else {
      Issue.record("\(cheaper) \(unknown)")
      return
    }
    #expect(unknown.warnings.count == 1)
  }

  @Test func `a slow-down that is not confirmed is ignored`() {
    let once = [
      CaseVerdict.Slowdown(node: "a", then: 1, now: 3), .init(node: "b", then: 1, now: 2),
    ]
    let again = [CaseVerdict.Slowdown(node: "b", then: 1, now: 4)]
    #expect(again.confirming(once) == [.init(node: "b", then: 1, now: 2)])
    #expect([].confirming(once).isEmpty)
  }
}
