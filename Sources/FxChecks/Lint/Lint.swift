import FxAudio
import FxChain
import FxEngine
package import FxKit

/// Renders a chain in several variants, each in its own process, and reports problems.
package struct Lint: Sendable {
  /// The chain and its inputs; the golden of the case is not used.
  package var testCase: TestCase
  /// The chain will be played live, whatever its sinks are.
  package var isLive = false
  /// The codes of findings to ignore.
  package var ignored: Set<String> = []
  /// The time limit for a render in seconds.
  package var timeout = 120.0
  /// The number of processes at the same time.
  package var processCount = 2
  /// True to stop the lint.
  package var isStopped: @Sendable () -> Bool = { false }

  /// The block sizes that are tried besides the chain's own.
  static let blockSizes = [64, 256]
  /// New memory is filled with the complements of these bytes.
  static let fills: [UInt8] = [85, 170]

  package init(_ testCase: TestCase) { self.testCase = testCase }

  /// - Throws: `ChainFailure` if the chain has mistakes or cannot be rendered, or after a stop.
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
    // If the output is silent, no part can be audible.
    if base.sinks.contains(where: { $0.peak > 0 }), case .result(let tried)? = all.last {
      findings += tried.unheard.map { text.finding($0) }
    }
    findings += Self.warnings(of: all + again).map(text.finding)
    return LintReport(findings.filter { !ignored.contains($0.diagnostic.code.rawValue) })
  }

  /// The warnings of all processes, each once.
  private static func warnings(of outcomes: [LintProcess.Outcome]) -> [String] {
    outcomes.flatMap { outcome in
      if case .result(let result) = outcome { result.warnings } else { [String]() }
    }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The result of a render that must succeed.
  private func usable(
    _ outcome: LintProcess.Outcome, _ text: LintText
  ) throws(ChainFailure) -> LintResult {
    switch outcome {
    case .ended(let words):
      throw ChainFailure(.plugin, code: .crashed, "\(testCase.chain): \(words)")
    case .result(let result):
      guard let failure = result.failure else { return result }
      // Only this process can report a chain's mistakes with their lines.
      if failure.message.contains(": error: ") { try LintRender.check(testCase) }
      throw failure
    }
  }
}
