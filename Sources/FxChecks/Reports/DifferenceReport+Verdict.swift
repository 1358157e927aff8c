package import FxKit

extension DifferenceReport: VerdictPage {
  /// The page of a case.
  package init(
    _ verdict: CaseVerdict, of testCase: TestCase, then: NodeFingerprints, now: NodeFingerprints
  ) {
    // The environment has its own section.
    var shown = verdict
    shown.environment = []
    let details = shown.details(testCase.tolerance).map { String($0.drop { $0 == " " }) }
    let judgement = Judgement(verdict)
    let headline = verdict.headline.isEmpty ? judgement.sentence : verdict.headline
    self.init(
      title: verdict.name, lines: [headline] + details,
      outputs: verdict.outputs.compactMap { output in
        output.actualSound.map {
          Output(
            name: output.name, expected: output.expectedSound, actual: $0,
            comparison: output.comparison)
        }
      }, nodes: Nodes(then: then, now: now, divergences: verdict.divergences))
    environment = verdict.environment
    self.judgement = judgement
  }
  /// Writes the page of a case.
  package static func write(
    _ verdict: CaseVerdict, of testCase: TestCase, then: NodeFingerprints, now: NodeFingerprints,
    to path: String
  ) throws(ChainFailure) {
    try DifferenceReport(verdict, of: testCase, then: then, now: now).write(to: path)
  }
}
