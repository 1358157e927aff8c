import FxAudio
@testable import FxChecks
import Testing

@Suite struct GraphLayoutTests {
  private func noLoop(_: Int, _: Int) -> Bool { false }

  @Test func `a straight chain is a straight line`() {
    let layout = GraphLayout(sources: [[], [0], [1], [2]], feedback: noLoop)
    #expect(layout.layers == [0, 1, 2, 3])
    #expect(Set(layout.rows).count == 1)
  }

  @Test func `a feedback connection runs backwards and adds no layer`() {
    let layout = GraphLayout(sources: [[], [0, 2], [1]]) { $0 == 2 && $1 == 1 }
    #expect(layout.layers == [0, 1, 2])
    #expect(layout.edges.filter(\.isFeedback).map(\.from) == [2])
  }

  @Test func `a line that passes a layer has its own row there`() throws {
    let layout = GraphLayout(sources: [[], [0], [1], [0, 2]], feedback: noLoop)
    let long = try #require(layout.edges.first { $0.from == 0 && $0.to == 3 })
    #expect(long.crossings.count == 2)
    #expect(long.crossings[0] != layout.rows[1])
    #expect(long.crossings[1] != layout.rows[2])
  }

  @Test(arguments: 0..<40)
  func `boxes and lines do not overlap`(seed: UInt64) {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return Int(state >> 33) % count
    }
    let count = 2 + next(24)
    let sources = (0..<count).map { node in
      node == 0 ? [] : (0..<1 + next(3)).map { _ in next(node) }
    }
    let layout = GraphLayout(sources: sources, feedback: noLoop)
    var taken = Set<[Double]>()
    for node in 0..<count {
      #expect(taken.insert([Double(layout.layers[node]), layout.rows[node]]).inserted)
      #expect(layout.rows[node] >= 0 && layout.rows[node] <= Double(layout.rowCount - 1))
    }
    for edge in layout.edges {
      #expect(layout.layers[edge.from] < layout.layers[edge.to])
      for (index, row) in edge.crossings.enumerated() {
        let place = [Double(layout.layers[edge.from] + 1 + index), row]
        #expect(taken.insert(place).inserted)
      }
    }
  }

  @Test func `each node has its status`() throws {
    let (then, now) = (ReportSamples.fingerprints(), ReportSamples.fingerprints(changedFrom: 512))
    let rows = NodeRow.rows(then: then, now: now, divergences: now.divergences(from: then))
    #expect(rows.map(\.id) == ["in", "comp", "echo", "mix", "out"])
    #expect(rows.map(\.status) == [.same, .begins, .differs, .differs, .differs])
    #expect(rows[1].firstFrame == 512)
    #expect(rows[0].firstFrame == nil)
  }

  @Test func `new, removed and unsteady nodes have different statuses`() {
    var (then, now) = (ReportSamples.fingerprints(), ReportSamples.fingerprints())
    then.nodes[1].id = "old"
    now.nodes[1].id = "young"
    then.nodes[0].repeats = false
    let rows = NodeRow.rows(then: then, now: now, divergences: [])
    #expect(rows.map(\.id) == ["in", "old", "young", "echo", "mix", "out"])
    #expect(rows.map(\.status).prefix(3) == [.unsteady, .gone, .new])
  }
}
