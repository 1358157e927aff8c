import FxAnalysis

extension DifferenceReport {
  /// The page of a case that differs.
  package init(
    _ verdict: CaseVerdict, of testCase: TestCase, then: NodePrints, now: NodePrints
  ) {
    let details = verdict.details(testCase.tolerance).map { line in
      String(line.drop { $0 == " " })
    }
    self.init(
      title: verdict.name, lines: [verdict.headline] + details,
      outputs: verdict.outputs.compactMap { output in
        output.actualSound.map {
          Output(
            name: output.name, expected: output.expectedSound, actual: $0,
            comparison: output.comparison)
        }
      }, nodes: Nodes(then: then, now: now, divergences: verdict.divergences))
  }
}
