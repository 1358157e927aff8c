import FxChain
import FxEngine
import FxKit
import FxLV2

/// Finds plugins whose delay differs from the latency that they report, if a dry signal makes that
/// audible.
struct LatencyLint {
  let text: LintText
  let facts: LintResult

  /// A pure delay has a clarity of 1; filters and saturation keep most of it.
  static let clarity = 0.4
  /// The delay in frames that filters may have by nature.
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
          "\"latency\": \"\(delay.frames) frames\" on the node aligns the two; if the delay is "
          + "intended, --ignore unaligned-latency",
        ["measured": Double(delay.frames), "reported": Double(fact.latency)])
    }
  }

  /// True for plugins that are delays.
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
