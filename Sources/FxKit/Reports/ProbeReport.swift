package import FxChain
import FxLV2

/// The results of probed plugins.
package struct ProbeReport {
  let results: [(plugin: LV2Description, verdict: PluginVerdict)]

  /// True if every plugin is good.
  package var isGood: Bool { results.allSatisfy(\.verdict.isGood) }

  /// One line per plugin, aligned.
  package var lines: String {
    let width = min(70, results.map(\.plugin.uri.count).max() ?? 0)
    let lines = results.map { result in
      "\(result.plugin.uri.padded(to: width))  \(Self.text(result.verdict))"
    }
    return Text.lines(lines)
  }

  /// The count of each verdict, then all plugins that are not `ok`, with their reasons.
  package var table: String {
    var lines: [String] = []
    for outcome in PluginVerdict.Outcome.allCases {
      let those = results.filter { $0.verdict.outcome == outcome }
      guard !those.isEmpty else { continue }
      lines.append("\(String(those.count).padded(to: 5, left: true))  \(Self.name(outcome))")
    }
    lines.append("\(String(results.count).padded(to: 5, left: true))  plugins")
    for outcome in PluginVerdict.Outcome.allCases where outcome != .ok {
      let those = results.filter { $0.verdict.outcome == outcome }
      guard !those.isEmpty else { continue }
      lines += ["", "\(Self.name(outcome)):"]
      for result in those {
        lines.append("  \(result.plugin.uri)")
        if let reason = Self.reason(result.verdict) { lines.append("      \(reason)") }
      }
    }
    return Text.lines(lines)
  }

  static func name(_ outcome: PluginVerdict.Outcome) -> String {
    outcome == .nonFinite ? "non-finite" : outcome.rawValue
  }

  /// The reason why a plugin is not usable; nil if the outcome says everything.
  private static func reason(_ verdict: PluginVerdict) -> String? {
    if verdict.stage != nil { return verdict.sentence }
    return verdict.detail
  }

  /// `ok, 23.4 ns a frame, 64 frames late, prints on standard output`.
  static func text(_ verdict: PluginVerdict) -> String {
    var facts = [verdict.sentence]
    if let cost = verdict.nanosecondsPerFrame {
      facts.append("\(Text.decimal(cost, 1)) ns a frame")
    }
    if let latency = verdict.latency, latency > 0 {
      facts.append("\(Text.count(latency, "frame")) late")
    }
    if verdict.prints { facts.append("prints on standard output") }
    return facts.joined(separator: ", ")
  }

  package var elements: [JSONOutput] {
    results.map { result in
      .members(["uri": .string(result.plugin.uri), "verdict": Self.json(result.verdict)])
    }
  }

  static func json(_ verdict: PluginVerdict) -> JSONOutput {
    .members([
      "outcome": .string(verdict.outcome.rawValue),
      "stage": verdict.stage.map { .string("\($0)") },
      "detail": verdict.detail.map { .string($0) },
      "latency": verdict.latency.map { .integer($0) },
      "nanosecondsPerFrame": verdict.nanosecondsPerFrame.map {
        .number(($0 * 10).rounded() / 10)
      },
      "peak": verdict.peak.map { .number($0) },
      "prints": .bool(verdict.prints),
    ])
  }
}
