import FxAudio
import FxChain
import FxEngine

/// Checks levels: clipping, signals that are attenuated and amplified again, DC offset, denormals,
/// silence.
struct LevelLint {
  let text: LintText
  let base: LintResult
  let facts: LintResult

  var findings: [LintFinding] {
    clipping + notFinite + silence
      + facts.facts.compactMap { fact in
        guard text.graph.nodes.indices.contains(fact.node) else { return nil }
        return overload(fact) ?? weakSignal(fact)
      } + facts.facts.compactMap(directCurrent) + facts.facts.compactMap(denormals)
      + facts.facts.flatMap(limits)
  }

  private func isPlugin(_ node: Int) -> Bool {
    text.graph.nodes.indices.contains(node) && text.graph.nodes[node].pluginURI != nil
  }

  // MARK: Outputs

  private var clipping: [LintFinding] {
    base.sinks.compactMap { sink in
      guard sink.peak > 1, text.graph.nodes.indices.contains(sink.node),
        text.graph.nodes[sink.node].isFixedPoint
      else { return nil }
      let over = Math.decibels(amplitude: sink.peak)
      let count = "\(sink.clippedCount) of \(sink.sampleCount) samples"
      return text.finding(
        .clipping, sink.node,
        "'\(text.id(sink.node))' peaks at +\(oneDecimal(over)) dBFS: \(count) are clipped",
        hint: "a gain of -\(oneDecimal((over * 10).rounded(.up) / 10)) dB avoids it, and so does a "
          + "limiter in front of it",
        ["peak": over, "clippedSamples": Double(sink.clippedCount)])
    }
  }

  private var notFinite: [LintFinding] {
    base.sinks.filter { $0.nonFiniteCount > 0 }.map { sink in
      text.finding(
        .notFinite, sink.node,
        "'\(text.id(sink.node))' was sent \(sink.nonFiniteCount) samples that are not a number or "
          + "infinite; they are written as silence",
        hint: "fxrun run reports what makes them", ["samples": Double(sink.nonFiniteCount)])
    }
  }

  /// -120 dB.
  private static let silentPeak = 1e-6

  private var silence: [LintFinding] {
    let sources = facts.facts.filter { $0.input == nil }
    let isFed = sources.isEmpty || sources.contains { ($0.output?.peak ?? 0) > 1e-4 }
    guard isFed else { return [] }
    return base.sinks.filter { $0.peak <= Self.silentPeak }.map { sink in
      let before = text.graph.ancestors(of: sink.node)
      let first = facts.facts.first { fact in
        before.contains(fact.node) && (fact.output?.peak ?? 1) <= Self.silentPeak
          && (fact.input?.peak ?? 0) > Self.silentPeak
      }
      let reason =
        first.map {
          ": '\(text.id($0.node))' is the first whose output is silent although its input is not "
            + "(\(decibelText($0.input?.peak ?? 0)))"
        } ?? ""
      return text.finding(
        .silentOutput, first?.node ?? sink.node,
        "the output '\(text.id(sink.node))' is silent and the input is not\(reason)",
        hint: "look for a gain, a mute, a gate or a plugin that waits for something; a longer "
          + "--duration may show more", ["peak": max(Math.decibels(amplitude: sink.peak), -999)])
    }
  }

  // MARK: Nodes

  private func overload(_ fact: NodeFacts) -> LintFinding? {
    guard isPlugin(fact.node), let input = fact.input, let output = fact.output, input.peak > 1,
      output.ceilingCount >= 16
    else { return nil }
    let over = Math.decibels(amplitude: input.peak)
    return text.finding(
      .overload, fact.node,
      "'\(text.id(fact.node))' receives peaks of +\(oneDecimal(over)) dBFS and clips: "
        + "\(output.ceilingCount) samples of its output are at its peak of "
        + "\(decibelText(output.peak))FS",
      hint: "\(oneDecimal((over * 10).rounded(.up) / 10)) dB less in front of it avoids that",
      ["peak": over, "ceilingSamples": Double(output.ceilingCount)])
  }

  /// -40 dB.
  private static let weakPeak = 0.01
  /// 20 dB.
  private static let largeStep = 10.0

  private func weakSignal(_ fact: NodeFacts) -> LintFinding? {
    guard text.graph.nodes[fact.node].givesSound, let input = fact.input, let output = fact.output,
      input.peak > Self.silentPeak,
      input.peak < Self.weakPeak, output.peak > input.peak * Self.largeStep,
      let weak = weakener(before: fact.node)
    else { return nil }
    let gain = Math.decibels(amplitude: output.peak / input.peak)
    return text.finding(
      .weakSignal, weak,
      "'\(text.id(weak))' makes the signal as quiet as \(decibelText(input.peak))FS at its peaks, "
        + "and '\(text.id(fact.node))' amplifies it again by \(oneDecimal(gain)) dB",
      hint:
        "reduce less here and amplify less there: the nodes in between work far below full scale",
      ["peak": Math.decibels(amplitude: input.peak), "gain": gain])
  }

  /// The nearest node before this one that attenuates by 20 dB or more.
  private func weakener(before node: Int) -> Int? {
    let byNode = Dictionary(facts.facts.map { ($0.node, $0) }) { first, _ in first }
    var waiting = text.graph.heard(by: node)
    var seen: Set<Int> = []
    while !waiting.isEmpty {
      let next = waiting.removeFirst()
      guard seen.insert(next).inserted, let fact = byNode[next], let output = fact.output else {
        continue
      }
      if let input = fact.input, output.peak < Self.weakPeak, output.peak > Self.silentPeak,
        input.peak > output.peak * Self.largeStep
      {
        return next
      }
      if output.peak < Self.weakPeak { waiting += text.graph.heard(by: next) }
    }
    return nil
  }

  /// -60 dB.
  private static let leastMean = 0.001

  private func directCurrent(_ fact: NodeFacts) -> LintFinding? {
    guard let input = fact.input, let output = fact.output, text.graph.nodes[fact.node].givesSound,
      abs(output.mean) > Self.leastMean, output.rms > 0
    else { return nil }
    // Compare shares of the signal: a gain also amplifies a DC offset of its input.
    let share = abs(output.mean) / output.rms
    let before = input.rms > 0 ? abs(input.mean) / input.rms : 0
    guard share > 0.05, share > 3 * before else { return nil }
    return text.finding(
      .dcOffset, fact.node,
      "'\(text.id(fact.node))' adds a DC offset of \(decibelText(abs(output.mean)))FS "
        + "(\(oneDecimal(output.mean * 100)) % of full scale) that its input does not have",
      hint: "a dcBlock behind it removes it",
      ["level": Math.decibels(amplitude: abs(output.mean))])
  }

  /// Parameters that control signals keep at an end of their range.
  private func limits(_ fact: NodeFacts) -> [LintFinding] {
    guard text.graph.nodes.indices.contains(fact.node),
      case .unit(let unit) = text.graph.nodes[fact.node].content
    else { return [] }
    return fact.limited.filter { $0.share == 1 && unit.parameters.indices.contains($0.slot) }.map {
      let path = unit.parameters[$0.slot].path
      return text.finding(
        .limitedParameter, fact.node,
        "'\(text.id(fact.node)).\(path)' is at the end of its range all the time: its modulation "
          + "goes beyond the range",
        hint: "less depth, or another value of '\(path)', leaves it room", ["share": $0.share])
    }
  }

  private func denormals(_ fact: NodeFacts) -> LintFinding? {
    guard isPlugin(fact.node), let output = fact.output, output.subnormalCount > 0,
      (fact.input?.subnormalCount ?? 0) == 0
    else { return nil }
    let seconds = Double(output.firstSubnormal) / max(facts.sampleRate, 1)
    return text.finding(
      .denormals, fact.node,
      "'\(text.id(fact.node))' makes \(output.subnormalCount) denormal samples, the first at "
        + "\(shortNumber((seconds * 1000).rounded() / 1000)) s",
      hint: "fxrun counts them as zero, so they cost nothing here; other hosts may not",
      ["samples": Double(output.subnormalCount), "seconds": seconds])
  }
}

extension Graph.Node {
  /// True for units and plugins that are not modulators.
  fileprivate var givesSound: Bool {
    guard case .unit = content else { return false }
    return outputs.first?.isControl == false
  }

  /// True for a sink that clips at full scale: all except float files.
  fileprivate var isFixedPoint: Bool {
    guard case .sink(let endpoint, _) = content else { return false }
    let depth = endpoint.encoding.depth
    switch endpoint.nature {
    case .bound, .device: return true
    case .file:
      return depth.map { !$0.isFloat } ?? endpoint.target.lowercased().hasSuffix(".flac")
    case .stream: return depth.map { !$0.isFloat } ?? false
    case .discarded: return false
    }
  }
}
