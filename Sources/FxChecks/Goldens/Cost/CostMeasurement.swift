import FxKit

/// Measures the render cost of each node of a case, relative to the calibration loop.
///
/// Each round renders the case once, between two runs of the loop. The fastest round counts,
/// because other processes only make a round slower. The ratio is nearly the same on machines of
/// one kind, at any clock speed.
enum CostMeasurement {
  /// The number of rounds in a measurement.
  static let roundCount = 5

  /// - Throws: `ChainFailure` if the case cannot be rendered.
  package static func costs(
    of testCase: TestCase, rounds: Int = roundCount
  ) throws(ChainFailure) -> NodeCosts {
    var options = CaseRendering.Options()
    options.measuresNodes = true
    var loop = CalibrationLoop()
    var calibration = loop.measure()
    var quickest: [String: Double] = [:]
    var order: [String] = []
    for _ in 0..<max(rounds, 1) {
      let summary = try CaseRendering(testCase, options).summary
      calibration = min(calibration, loop.measure())
      let frameNanoseconds = 1e9 / max(summary.sampleRate, 1)
      for cost in summary.nodeCosts where !cost.node.isEmpty {
        // The median share of a block's duration that the node took.
        let taken = cost.load.p50 * frameNanoseconds
        if quickest[cost.node] == nil { order.append(cost.node) }
        quickest[cost.node] = min(quickest[cost.node] ?? .infinity, taken)
      }
    }
    let nodes = order.sorted().map { id in
      NodeCosts.Node(id: id, cost: ratio((quickest[id] ?? 0) / calibration))
    }
    return NodeCosts(total: ratio(nodes.reduce(0) { $0 + $1.cost }), nodes: nodes)
  }

  /// Four digits; more would be noise.
  private static func ratio(_ value: Double) -> Double {
    guard value.isFinite else { return 0 }
    return (value * 10000).rounded() / 10000
  }
}
