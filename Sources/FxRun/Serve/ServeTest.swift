import FxChain
import FxChecks
import FxKit

/// Compares the cases of a case file with their goldens, or writes these, as `fxrun test` does.
struct ServeTest {
  /// Which goldens are written; the other cases are compared.
  enum Recording: String {
    case missing, all
  }

  let file: String
  /// In place of the file's own text; the file need not exist then.
  let text: String?
  let recording: Recording?
  /// For the sounds and reports of cases that do not pass.
  let folder: String?

  func answer() throws(ChainFailure) -> ServeAnswer {
    let cases =
      text.map { CaseFile(bytes: Array($0.utf8), path: file) } ?? CaseFile(contentsOfFile: file)
    guard !cases.diagnostics.hasErrors else { throw ChainFailure(cases.diagnostics) }
    let all = SuiteCase.all(of: [cases])
    let written = all.filter { $0.isWritten(recording) }
    var suite = Suite(all.filter { !$0.isWritten(recording) })
    suite.artifacts = folder
    let results =
      Array(zip(written, Suite(written).update())) + Array(zip(suite.cases, suite.check()))
    return ServeAnswer(.array(results.map(Self.json)))
  }

  private static func json(_ suiteCase: SuiteCase, _ result: SuiteResult?) -> JSONOutput {
    let details = result?.verdict.details(suiteCase.testCase.tolerance) ?? []
    return .members([
      "name": .string(suiteCase.label),
      "isGood": .bool(result?.isGood ?? false),
      "headline": .string(result?.verdict.headline ?? "was not rendered"),
      "details": .array(details.map { .string($0) }),
      "written": .array((result?.written ?? []).map { .string($0) }),
      "outcome": result.map { .string($0.verdict.outcome.name) },
    ])
  }
}

extension SuiteCase {
  fileprivate func isWritten(_ recording: ServeTest.Recording?) -> Bool {
    switch recording {
    case .all: true
    case .missing: !WholeFile.exists(testCase.manifestPath)
    case nil: false
    }
  }
}
