import FxAudio
import FxChain

/// Finds sounds that end while they are still audible.
struct TailLint {
  let text: LintText
  let base: LintResult
  let facts: LintResult

  /// -60 dB.
  private static let audible = 0.001

  var findings: [LintFinding] {
    facts.sinks.compactMap { sink in
      if let rest = sink.restPeak, rest > Self.audible {
        let tail =
          base.tailPolicy == "none" ? "without a tail" : "after the tail that it is given"
        return text.finding(
          .tailCut, sink.node,
          "'\(text.id(sink.node))' ends \(tail) while what fades away is still at \(decibelText(rest))FS",
          hint: "\"tail\": \"auto\" lets it end when it is silent; or give it more seconds",
          ["level": Math.decibels(amplitude: rest)])
      }
      guard sink.restPeak == nil, base.tailWasCut, sink.node == facts.sinks.first?.node else {
        return nil
      }
      return text.finding(
        .tailCut, sink.node,
        "'\(text.id(sink.node))' still sounds where its tail has to end, after "
          + "\(shortNumber((Double(base.frameCount) / max(base.sampleRate, 1)).rounded())) s",
        hint:
          "a feedback or a plugin does not fade away; \"tail\": \"10 s\" says how much of it is "
          + "meant")
    }
  }
}
