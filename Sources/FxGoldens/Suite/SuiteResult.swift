import FxKit

/// What became of a case of a suite.
package struct SuiteResult: Sendable {
  package var verdict: CaseVerdict
  /// What its process wrote to standard error.
  package var words = ""
  /// From the start of its process to its end.
  package var seconds = 0.0
  /// True where its golden is made anew; the verdict says what changes then.
  package var isUpdated = false
  /// Files of the golden that were written, and those that it has no more.
  package var written: [String] = []
  package var removed: [String] = []
  /// A golden that is not in its place yet.
  var draft: GoldenUpdate.Draft?

  package init(verdict: CaseVerdict) { self.verdict = verdict }

  /// True where there is nothing that somebody has to do.
  package var isGood: Bool {
    switch verdict.outcome {
    case .passed: true
    case .new, .differs: isUpdated
    case .failed: false
    }
  }

  /// The result with what another process found out about the case's cost.
  func joining(_ cost: SuiteResult) -> SuiteResult {
    var joined = self
    joined.seconds += cost.seconds
    joined.words += cost.words
    joined.verdict.slowdowns = cost.verdict.slowdowns
    joined.verdict.warnings += cost.verdict.warnings
    if !cost.verdict.passes { joined.verdict.outcome = cost.verdict.outcome }
    return joined
  }
}

extension CaseVerdict {
  /// True where there is nothing to look at.
  package var passes: Bool {
    if case .passed = outcome { true } else { false }
  }

  /// True where it was held against a golden.
  var isRendered: Bool {
    switch outcome {
    case .passed, .differs: true
    case .new, .failed: false
    }
  }
}
