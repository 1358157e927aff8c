import FxAnalysis
import FxKit

/// The sentences of a report, as HTML.
enum ReportWords {
  enum Kind: String {
    case same, within, new, differs, failed

    var words: String {
      switch self {
      case .same: "Same"
      case .within: "Within the tolerance"
      case .new: "New"
      case .differs: "Differs"
      case .failed: "Failed"
      }
    }
  }

  /// The verdict in a word and a sentence.
  static func judgement(_ report: DifferenceReport) -> (kind: Kind, sentence: String) {
    guard let verdict = report.verdict else {
      let different = report.outputs.compactMap(\.comparison).first { $0.category != .same }
      guard let different else {
        let isCompared = report.outputs.contains { $0.comparison != nil }
        return isCompared
          ? (.same, "The two are the same to the bit.")
          : (.new, "There is nothing to compare with.")
      }
      return (.differs, Markup.sentence(different.lines.first ?? "the sound is another one"))
    }
    switch verdict.outcome {
    case .passed:
      return verdict.outputs.allSatisfy(\.isSame)
        ? (.same, "The sound is the same to the bit.")
        : (.within, "The sound differs, by no more than is allowed.")
    case .new: return (.new, "There is no golden yet; this is what came.")
    case .failed(let failure): return (.failed, Markup.sentence(firstLine(failure.message)))
    case .differs: return (.differs, difference(verdict))
    }
  }

  private static func difference(_ verdict: CaseVerdict) -> String {
    if let output = verdict.outputs.first(where: { !$0.isWithinTolerance }) {
      let words = output.comparison?.lines.first ?? "the sound is another one"
      let place = verdict.divergences.first.map {
        " It begins at <b>\(Markup.escaped($0.node, limit: 80))</b>."
      }
      return Markup.sentence(words) + (place ?? "")
    }
    let words = verdict.slowdowns.first.map(slowdown) ?? verdict.warnings.first
    return Markup.sentence(words ?? "the sound is another one")
  }

  private static func firstLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text
  }

  // MARK: Explanation

  /// What is different and where it begins, a sentence each.
  static func explanation(_ report: DifferenceReport) -> [String] {
    var lines: [String] = []
    if case .failed(let failure)? = report.verdict?.outcome {
      lines += failure.message.split(whereSeparator: \.isNewline).dropFirst().map {
        Markup.sentence(String($0))
      }
      lines += failure.hints.map(Markup.sentence)
    }
    for output in report.outputs {
      guard let comparison = output.comparison, comparison.category != .same else { continue }
      let subject = report.outputs.count > 1 ? "<b>\(Markup.escaped(output.name))</b>: " : ""
      lines += comparison.lines.map { subject + Markup.sentence($0) }
    }
    let divergences = report.divergences
    lines += divergences.enumerated().map { place($1, isFirst: $0 == 0) }
    lines += (report.verdict?.slowdowns ?? []).map { Markup.sentence(slowdown($0)) }
    lines += (report.verdict?.warnings ?? []).map { Markup.sentence($0) }
    return lines
  }

  private static func place(_ divergence: CaseVerdict.Divergence, isFirst: Bool) -> String {
    let node = "<b>\(Markup.escaped(divergence.node, limit: 80))</b>"
    let unit = Markup.escaped(divergence.unit, limit: 160)
    let frame = "frame \(Markup.grouped(divergence.frame))"
    let what =
      switch divergence.place {
      case .node: "\(node) (\(unit)) makes something else of the same input from \(frame)"
      case .connection: "something else reaches \(node) (\(unit)) from \(frame): a connection"
      case .source: "the source \(node) brings something else from \(frame)"
      case .structure: "\(node) (\(unit)) is new or gone, heard from \(frame)"
      case .unsteady: "\(node) (\(unit)) does not repeat itself"
      }
    var levels = ""
    if let then = divergence.levelThen, let now = divergence.levelNow {
      levels = "; \(Markup.decibels(then)) then, \(Markup.decibels(now)) now"
    }
    return "\(isFirst ? "It begins here" : "And here"): \(what)\(levels)."
  }

  private static func slowdown(_ slowdown: CaseVerdict.Slowdown) -> String {
    let ratio = slowdown.then > 0 ? min(slowdown.now / slowdown.then, 1e6) : 0
    let subject = slowdown.node.map { "the node '\($0)'" } ?? "the chain"
    return "\(subject) takes \(Figures.fixed(ratio, places: 2)) times what it took"
  }

  // MARK: Parts

  /// A list, or a paragraph for one sentence; of very many the first.
  static func list(_ sentences: [String]) -> String {
    guard sentences.count > 1 else { return sentences.map { "<p>\($0)</p>" }.joined() }
    let rest = sentences.count > 100 ? "<li>And \(sentences.count - 100) more.</li>" : ""
    return "<ul>" + sentences.prefix(100).map { "<li>\($0)</li>" }.joined() + rest + "</ul>"
  }

  /// `Left`; nothing for the only one.
  static func channelName(_ channel: Int, of count: Int) -> String {
    let name = Comparison.channelName(channel, of: count)
    return name.prefix(1).uppercased() + name.dropFirst()
  }
}
