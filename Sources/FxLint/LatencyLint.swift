import FxDiagnostics
import FxAnalysis
import FxChain
import FxGraph
import FxKit
import FxLV2

/// Plugins whose output is late by other than they report, where that is heard: beside a dry signal.
struct LatencyLint {
  let text: LintText
  let facts: LintResult

  /// A mere delay has a clarity of 1; a filter or a saturation leaves most of it.
  static let clarity = 0.4
  /// Frames by which filters may be late without being meant.
  static let tolerance = 3

  var findings: [LintFinding] {
    facts.facts.compactMap { fact in
      guard let delay = fact.delay, delay.clarity >= Self.clarity, delay.frames >= 0,
        abs(delay.frames - fact.latency) > Self.tolerance,
        text.graph.nodes.indices.contains(fact.node), !delaysOnPurpose(fact.node),
        let meeting = text.graph.meetingPoint(of: fact.node)
      else { return nil }
      let id = text.id(fact.node)
      let reported = fact.latency == 0 ? "reports none" : "reports \(fact.latency)"
      let place =
        meeting == fact.node
        ? "its dry signal" : "what has not gone through it at '\(text.id(meeting))'"
      return text.finding(
        .unalignedLatency, fact.node,
        "'\(id)' is \(delay.frames) frames late and \(reported), so it is "
          + "\(abs(delay.frames - fact.latency)) frames off \(place)",
        hint:
          "\"latency\": \"\(delay.frames) frames\" on the node aligns the two; where the delay is "
          + "meant, --ignore unaligned-latency",
        ["measured": Double(delay.frames), "reported": Double(fact.latency)])
    }
  }

  /// What is there to be late.
  private func delaysOnPurpose(_ node: Int) -> Bool {
    guard let uri = text.graph.nodes[node].pluginURI,
      let className = UnitLibrary.shared.plugins.describe(uri: uri)?.className
    else { return false }
    return [
      "Delay", "Reverb", "Chorus", "Flanger", "Phaser", "Modulator", "Pitch", "Simulator",
      "Spatial", "Spectral",
    ].contains { className.hasPrefix($0) }
  }
}
