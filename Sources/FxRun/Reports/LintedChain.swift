import FxAudio
import FxChain
import FxChecks
import FxKit

/// The result of a lint, in words.
struct LintedChain {
  let chain: String
  var report: LintReport?
  var failure: ChainFailure?

  init(chain: String, report: LintReport? = nil, failure: ChainFailure? = nil) {
    self.chain = chain
    self.report = report
    self.failure = failure
  }

  var hasWarnings: Bool { (report?.diagnostics.warningCount ?? 0) > 0 }

  /// Prints the findings and their number; `isAlone` if only one chain is reported.
  func report(isAlone: Bool) {
    if let failure { _ = FailureReport.report(failure, asJSON: false) }
    guard let report else { return }
    for finding in report.findings {
      Output.write(finding.diagnostic.text(isColored: Output.isColored(.output)), to: .output)
    }
    Output.line(isAlone ? summary(report) : "\(ForeignText.visible(chain)): \(summary(report))")
  }

  /// `2 warnings, 1 note`; `no findings`.
  private func summary(_ report: LintReport) -> String {
    let warnings = report.diagnostics.warningCount
    let notes = report.findings.count - warnings
    let parts = [
      warnings > 0 ? Text.count(warnings, "warning") : nil,
      notes > 0 ? Text.count(notes, "note") : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? "no findings" : parts.joined(separator: ", ")
  }

  var json: JSONOutput {
    let members: JSONOutput =
      if let failure { FailureReport.json(failure) } else { report?.json ?? .members([:]) }
    guard case .object(let own) = members else { return members }
    return .object([.init("chain", .string(chain))] + own)
  }
}
