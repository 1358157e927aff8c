import FxChain
import FxDiagnostics
package import FxGoldens
import FxGraph
package import FxKit

/// Renders a chain in several ways, each in a process of its own, and says what is questionable.
package struct Lint: Sendable {
  /// The chain and what it is rendered from; what a case is held against does not matter.
  package var testCase: TestCase
  /// It is to be played live, whatever its sinks are.
  package var isLive = false
  /// Codes that are not wanted.
  package var ignored: Set<String> = []
  /// Seconds that one render may take.
  package var timeout = 120.0
  /// Processes at a time.
  package var processCount = 2
  /// True once nothing more is wanted.
  package var isStopped: @Sendable () -> Bool = { false }

  /// Sizes of blocks that a chain is rendered with beside its own.
  static let blockSizes = [64, 256]
  /// What new memory is filled with: the complements of these bytes.
  static let fills: [UInt8] = [85, 170]

  package init(_ testCase: TestCase) { self.testCase = testCase }

  /// - Throws: `ChainFailure` where the chain has mistakes or cannot be rendered, and once nothing
  ///   more is wanted.
  package func report() throws(ChainFailure) -> LintReport {
    let text = try LintText(testCase)
    let bench = try LintBench(
      testCase, processCount: processCount, timeout: timeout, isStopped: isStopped)
    var plain = bench.job()
    plain.task.repeats = 2
    var measured = bench.job()
    measured.task.isMeasured = true
    var parts = bench.job()
    parts.task.triesParts = true
    let sizes = Self.blockSizes.filter { $0 != text.blockSize(testCase) }
    var variants = sizes.map { LintVariant.blocks($0) }
    if text.hasPlugins { variants += Self.fills.map { .uncured($0) } }
    let all = try bench.run([plain, measured] + variants.map { bench.job($0) } + [parts])
    let outcomes = all.dropLast()
    let base = try usable(outcomes[0], text)
    let facts = try usable(outcomes[1], text)
    bench.awaitAnotherSecond()
    let again = try bench.run([bench.job(.again)])

    var determinism = DeterminismLint(text: text, bench: bench, base: base)
    try determinism.take(.again, again[0])
    determinism.takeSecondInstance()
    for (variant, outcome) in zip(variants, outcomes.dropFirst(2)) {
      try determinism.take(variant, outcome)
    }
    var findings = text.findings(isLive: isLive)
    findings += try determinism.findings()
    findings += LevelLint(text: text, base: base, facts: facts).findings
    findings += LatencyLint(text: text, facts: facts).findings
    findings += TailLint(text: text, base: base, facts: facts).findings
    // Of what is silent, nothing is heard.
    if base.sinks.contains(where: { $0.peak > 0 }), case .result(let tried)? = all.last {
      findings += tried.unheard.map { text.finding($0) }
    }
    return LintReport(findings.filter { !ignored.contains($0.diagnostic.code.rawValue) })
  }

  /// The result of a render that has to succeed.
  private func usable(
    _ outcome: LintProcess.Outcome, _ text: LintText
  ) throws(ChainFailure) -> LintResult {
    switch outcome {
    case .ended(let words):
      throw ChainFailure(.plugin, code: "crashed", "\(testCase.chain): \(words)")
    case .result(let result):
      guard let failure = result.failure else { return result }
      // Mistakes of a chain are reported with their lines, which only we have.
      if failure.message.contains(": error: ") { try LintRender.check(testCase) }
      throw failure.chainFailure
    }
  }
}
