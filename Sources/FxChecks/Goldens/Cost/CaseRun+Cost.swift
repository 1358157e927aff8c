import FxKit

extension CaseRun {
  /// Measurements before a slowdown is reported.
  private static let attemptCount = 3

  /// Measures the cost of a case and compares it with the golden. Nothing else should run at the
  /// same time.
  ///
  /// A slowdown must appear in each of several measurements, so that a machine that is busy for a
  /// moment does not fail a test.
  static func costVerdict(of testCase: TestCase) -> CaseVerdict {
    var verdict = CaseVerdict(name: testCase.name, outcome: .passed)
    guard let cost = testCase.cost else { return verdict }
    do throws(ChainFailure) {
      guard let then = try Manifest(contentsOfFile: testCase.manifestPath).cost else {
        verdict.warnings.append(
          "the golden has no cost: add it with --update")
        return verdict
      }
      for _ in 0..<attemptCount {
        let found = try CostMeasurement.costs(of: testCase)
          .slowdowns(since: then, tolerance: cost.tolerance)
        verdict.slowdowns = verdict.slowdowns.isEmpty ? found : found.confirming(verdict.slowdowns)
        guard !verdict.slowdowns.isEmpty else { return verdict }
      }
      verdict.outcome = .differs
    } catch {
      verdict.outcome = .failed(error)
    }
    return verdict
  }
}

extension [CaseVerdict.Slowdown] {
  /// The slowdowns that `earlier` contains too, each with the smaller cost.
  func confirming(_ earlier: [CaseVerdict.Slowdown]) -> [CaseVerdict.Slowdown] {
    compactMap { slowdown in
      guard let before = earlier.first(where: { $0.node == slowdown.node }) else { return nil }
      return CaseVerdict.Slowdown(
        node: slowdown.node, then: slowdown.then, now: Swift.min(slowdown.now, before.now))
    }
  }
}
