import FxKit

extension CaseVerdict {
  /// A short summary; empty if the case passed.
  package var headline: String {
    switch outcome {
    case .passed: return ""
    case .new:
      return outputs.isEmpty ? "has no golden yet" : "has no manifest, but an unchanged sound"
    case .failed(let failure):
      return failure.message.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    case .differs:
      if let difference = outputs.first(where: { !$0.isWithinTolerance }) {
        let words = difference.comparison?.lines.first ?? "the sound differs"
        return divergences.first.map { "\($0.node): \(words)" } ?? words
      }
      return slowdowns.first?.line ?? warnings.first ?? "the sound differs"
    }
  }

  /// The details: the environment, then the sound, then where the difference begins, then the cost.
  ///
  /// - Parameter tolerance: the case's.
  package func details(_ tolerance: Tolerance = .exact) -> [String] {
    var lines: [String] = []
    if case .failed(let failure) = outcome {
      lines += failure.message.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
      // Diagnostics contain their own hints.
      if lines.isEmpty { lines += failure.hints }
    }
    lines += Self.list(environment.filter { $0.kind == .chain }.map(\.message), "the chain")
    lines += Self.list(environment.filter { $0.kind != .chain }.map(\.message), "the environment")
    for output in outputs where !output.isWithinTolerance {
      lines += soundLines(output, tolerance)
    }
    lines += divergences.enumerated().map { index, divergence in
      (index == 0 ? "begins at " : "and at ") + divergence.line
    }
    lines += slowdowns.map { "slower: \($0.line)" }
    lines += warnings.map { "warning: \($0)" }
    lines += notes.map { "note: \($0)" }
    return lines
  }

  /// `the environment differs: …`, or a list below it.
  private static func list(_ messages: [String], _ subject: String) -> [String] {
    guard messages.count > 1 else { return messages.map { "\(subject) differs: \($0)" } }
    return ["\(subject) differs:"] + messages.map { "  \($0)" }
  }

  private func soundLines(_ output: Output, _ tolerance: Tolerance) -> [String] {
    let subject = outputs.count > 1 || output.name != "main" ? "audio of '\(output.name)'" : "audio"
    guard let comparison = output.comparison, let first = comparison.lines.first else {
      return [
        "the \(subject) differs in its digest; the golden has no sound that could be compared"
      ]
    }
    let more = comparison.lines.dropFirst() + [comparison.line(about: tolerance)].compactMap { $0 }
    return ["the \(subject) differs: \(first)"] + more.map { "  \($0)" }
  }
}

extension CaseVerdict.Divergence {
  /// `node 'comp' (compressor), frame 1200: -20.1 dB then, -20.0 dB now`.
  package var line: String {
    let name = "'\(node)' (\(unit))"
    let what =
      switch place {
      case .node: "node \(name)"
      case .connection: "what leads to node \(name)"
      case .source: "source '\(node)'"
      case .structure: "node \(name), which was added or removed"
      case .unsteady: "node \(name), which does not repeat itself"
      }
    guard let levelThen, let levelNow else { return "\(what), frame \(frame)" }
    return "\(what), frame \(frame): \(Self.decibels(levelThen)) then, "
      + "\(Self.decibels(levelNow)) now"
  }

  private static func decibels(_ level: Double) -> String {
    level.isFinite && level > -400 && level < 1e6 ? "\(rounded(level, 100)) dB" : "silent"
  }

  fileprivate static func rounded(_ value: Double, _ steps: Double) -> String {
    let whole = Int((abs(value) * steps).rounded())
    let fraction = String(whole % Int(steps))
    let digits = String(Int(steps)).count - 1
    return (value < 0 && whole > 0 ? "-" : "") + "\(whole / Int(steps))."
      + String(repeating: "0", count: max(0, digits - fraction.count)) + fraction
  }
}

extension CaseVerdict.Slowdown {
  /// `node 'comp' takes 1.31 times as long as in the golden`.
  package var line: String {
    let ratio = then > 0 ? min(now / then, 1e6) : 0
    let subject = node.map { "node '\($0)'" } ?? "the chain"
    return
      "\(subject) takes \(CaseVerdict.Divergence.rounded(ratio, 100)) times as long as in the golden"
  }
}
