import FxAnalysis
import FxRegression

/// Why a sound is not the expected one: what it was made with first, then what is heard, then where
/// it begins.
struct VerdictText: CustomStringConvertible {
  private var lines: [String]

  init(_ verdict: CaseVerdict, _ testCase: TestCase, _ golden: String) {
    let chain = testCase.chain.split(separator: "/").last.map(String.init) ?? testCase.chain
    lines = ["\(chain) does not sound like its golden '\(golden)'"]
    for change in verdict.environment { lines.append("environment: \(change.message)") }
    if verdict.environment.isEmpty {
      lines.append("environment: as it was; the chain, its plugins and its input are the same")
    }
    let isOnly = verdict.outputs.count == 1
    for output in verdict.outputs where !output.isWithinTolerance {
      let name = isOnly ? "sound" : "output '\(output.name)'"
      guard let comparison = output.comparison else {
        lines.append("\(name): other bits; there is no sound of it to compare with")
        continue
      }
      lines += comparison.lines.enumerated().map {
        $0.offset == 0 ? "\(name): \($0.element)" : "  \($0.element)"
      }
    }
    let rate = verdict.outputs.compactMap { $0.actualSound?.sampleRate }.first
    for divergence in verdict.divergences {
      lines.append("begins: \(Self.words(divergence, rate))")
    }
    lines += verdict.warnings.map { "note: \($0)" }
  }

  private static func words(_ divergence: CaseVerdict.Divergence, _ rate: Double?) -> String {
    let node = "'\(divergence.node)' (\(divergence.unit))"
    var time = "frame \(divergence.frame)"
    if let rate, rate > 0 { time += " (\(Figures.time(Double(divergence.frame) / rate)))" }
    var words =
      switch divergence.place {
      case .node: "in \(node), which makes something else of the same input, from \(time) on"
      case .connection: "before \(node): its input is another one though no node before it is"
      case .source: "in the source '\(divergence.node)', which brings something else"
      case .structure: "where \(node) is new, gone or of another unit"
      case .unsteady: "in \(node), which does not repeat itself"
      }
    if let then = divergence.levelThen, let now = divergence.levelNow, then.isFinite, now.isFinite {
      let (before, after) = (Figures.fixed(then, places: 2), Figures.fixed(now, places: 2))
      if before != after { words += "; its level is \(after) dB, was \(before) dB" }
    }
    return words
  }

  var description: String { lines.joined(separator: "\n") }
}
