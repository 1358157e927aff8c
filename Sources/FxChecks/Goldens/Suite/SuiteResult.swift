import FxKit

/// The result of a case of a suite.
package struct SuiteResult: Sendable {
  package var verdict: CaseVerdict
  /// The standard error of its process.
  package var words = ""
  /// The duration of its process in seconds.
  package var seconds = 0.0
  /// True if its golden was replaced; the verdict describes the changes.
  package var isUpdated = false
  /// Files of the golden that were written, and files that were removed.
  package var written: [String] = []
  package var removed: [String] = []
  /// A golden that has not been moved into place.
  var draft: GoldenUpdate.Draft?

  package init(verdict: CaseVerdict) { self.verdict = verdict }

  /// True if nobody has to act.
  package var isGood: Bool {
    switch verdict.outcome {
    case .passed: true
    case .new, .differs: isUpdated
    case .failed: false
    }
  }

  /// The result, with the case's cost from another process.
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
  /// True if the case passed.
  package var passes: Bool {
    if case .passed = outcome { true } else { false }
  }

  /// True if it was compared with a golden.
  var isRendered: Bool {
    switch outcome {
    case .passed, .differs: true
    case .new, .failed: false
    }
  }
}
