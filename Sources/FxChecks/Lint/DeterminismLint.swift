import FxAudio
import FxChain
import FxKit

/// Compares renders that should be identical.
struct DeterminismLint {
  /// How one variant of rendering differs from the normal one.
  struct Difference {
    var variant: LintVariant
    /// The first node that differs; nil if it is unknown.
    var node: Int?
    /// The error if the variant did not render at all.
    var ending: String?
    /// The highest magnitude of the difference at the node, and its first frame.
    var peak = 0.0
    var frame = 0
  }

  let text: LintText
  let bench: LintBench
  let base: LintResult
  private var differences: [Difference] = []

  init(text: LintText, bench: LintBench, base: LintResult) {
    self.text = text
    self.bench = bench
    self.base = base
  }

  /// Records the outcome of a variant.
  mutating func take(_ variant: LintVariant, _ outcome: LintProcess.Outcome) throws(ChainFailure) {
    switch outcome {
    case .ended(let words):
      differences.append(Difference(variant: variant, ending: words))
    case .result(let result):
      if let failure = result.failure {
        differences.append(Difference(variant: variant, ending: failure.message))
      } else if let run = result.runs.first {
        take(variant, run)
      }
    }
  }

  /// Records the second render of the process that rendered twice.
  mutating func takeSecondInstance() {
    if base.runs.count > 1 { take(.secondInstance, base.runs[1]) }
  }

  private mutating func take(_ variant: LintVariant, _ run: LintResult.Run) {
    guard let usual = base.runs.first else { return }
    let isSame =
      usual.digests.isEmpty ? usual.fingerprints == run.fingerprints : usual.digests == run.digests
    guard !isSame else { return }
    let first = run.fingerprints.divergences(from: usual.fingerprints).first
    differences.append(
      Difference(
        variant: variant, node: first.flatMap { text.index(ofNode: $0.node) },
        frame: first?.frame ?? 0))
  }

  /// The findings, with the levels of the differences.
  mutating func findings() throws(ChainFailure) -> [LintFinding] {
    for index in differences.indices { try measure(&differences[index]) }
    var findings: [LintFinding] = []
    // A node that always differs says nothing about memory and block sizes.
    if let again = differences.first(where: { $0.variant == .again }) {
      findings.append(finding(again))
      let node = again.node
      differences.removeAll { $0.node == node && $0.ending == nil }
    }
    findings += differences.filter { $0.variant == .secondInstance }.map(finding)
    let blocks = differences.filter { if case .blocks = $0.variant { true } else { false } }
    if let worst = worst(blocks) { findings.append(finding(worst)) }
    let uncured = differences.filter { if case .uncured = $0.variant { true } else { false } }
    if let worst = worst(uncured) { findings.append(try heapFinding(worst)) }
    return findings
  }

  private func worst(_ differences: [Difference]) -> Difference? {
    differences.first { $0.ending != nil } ?? differences.max { $0.peak < $1.peak }
  }

  /// Checks whether zeros in new memory prevent the difference.
  private mutating func heapFinding(_ uncured: Difference) throws(ChainFailure) -> LintFinding {
    let variants = Lint.fills.map { LintVariant.filled($0) }
    let outcomes = try bench.run(variants.map { bench.job($0) })
    differences = []
    for (variant, outcome) in zip(variants, outcomes) { try take(variant, outcome) }
    for index in differences.indices { try measure(&differences[index]) }
    return finding(worst(differences) ?? uncured)
  }

  // MARK: Levels

  /// Renders both variants again and records the node's output.
  private func measure(_ difference: inout Difference) throws(ChainFailure) {
    guard difference.ending == nil, let node = difference.node else { return }
    var usual = bench.job()
    usual.task.recordedNode = text.id(node)
    var other = bench.job(difference.variant)
    other.task.recordedNode = text.id(node)
    let pair: (one: LintRecording?, other: LintRecording?)
    switch difference.variant {
    case .secondInstance:
      usual.task.repeats = 2
      let result = try bench.run([usual]).first
      pair = (LintRecording(result, usual.task, 0), LintRecording(result, usual.task, 1))
    case .again:
      let first = try bench.run([usual]).first
      bench.awaitAnotherSecond()
      let second = try bench.run([other]).first
      pair = (LintRecording(first, usual.task, 0), LintRecording(second, other.task, 0))
    default:
      let results = try bench.run([usual, other])
      pair = (
        LintRecording(results.first, usual.task, 0), LintRecording(results.last, other.task, 0)
      )
    }
    guard let one = pair.one, let other = pair.other, let found = one.difference(from: other)
    else { return }
    (difference.peak, difference.frame) = found
  }

  // MARK: Words

  private func finding(_ difference: Difference) -> LintFinding {
    let sinks = base.sinks.map(\.node)
    let node = difference.node ?? sinks.first ?? 0
    let name = "'\(text.id(node))'"
    let seconds = Double(difference.frame) / max(base.sampleRate, 1)
    let start = "from \(shortNumber((seconds * 1000).rounded() / 1000)) s on"
    if let ending = difference.ending {
      return text.finding(
        difference.variant.code, node,
        "the chain does not render \(difference.variant.words(base.blockSize)): \(ending)",
        hint: difference.variant.hint)
    }
    guard difference.peak > 0 else {
      return text.finding(
        difference.variant.code, node,
        "\(name) renders differently \(difference.variant.words(base.blockSize)), \(start), but not "
          + "always: two further renders were the same",
        hint: difference.variant.hint, ["seconds": seconds])
    }
    let level = Math.decibels(amplitude: difference.peak)
    // A difference below the resolution of 16 bits is a note, not a warning.
    let isTiny = difference.variant.blockSize != nil && level < -90
    return text.finding(
      difference.variant.code, node,
      "\(name) renders differently \(difference.variant.words(base.blockSize)): by up to "
        + "\(decibelText(difference.peak)) of full scale, \(start)",
      hint: difference.variant.hint, severity: isTiny ? .note : nil,
      ["difference": level, "seconds": seconds])
  }
}

extension LintVariant {
  fileprivate var code: DiagnosticCode {
    switch self {
    case .plain, .again: .runDependent
    case .secondInstance: .instanceDependent
    case .filled: .heapDependent
    case .uncured: .unwrittenMemory
    case .blocks: .blockDependent
    }
  }

  fileprivate func words(_ blockSize: Int) -> String {
    switch self {
    case .plain, .again: "in every run"
    case .secondInstance: "the second time in one process"
    case .filled: "where memory held other bytes before"
    case .uncured: "if memory that it has not written is not zero"
    case .blocks(let size): "in blocks of \(size) frames instead of \(blockSize)"
    }
  }

  fileprivate var hint: String {
    switch self {
    case .plain, .again:
      "a golden of this chain needs a tolerance; where the plugin draws random numbers, one of its "
        + "parameters may stop that"
    case .secondInstance:
      "its plugin has state outside its instances; \"isolated\": true gives each a process of "
        + "its own"
    case .filled:
      "its plugin reads memory that it has not written: report it to its authors; a golden of this "
        + "chain needs a tolerance"
    case .uncured:
      "fxrun gives plugins zeros, so that its renders repeat; other hosts may not: report it to the "
        + "plugin's authors"
    case .blocks:
      "give the chain a \"blockSize\"; a golden is good for the block size that it was made with, or "
        + "needs a tolerance"
    }
  }
}
