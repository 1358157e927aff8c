import FxAudio
import FxChain
import FxKit

extension RenderEnvironment {
  /// The changes of the environment, the most important first.
  package func changes(since then: RenderEnvironment) -> [CaseVerdict.EnvironmentChange] {
    var changes = graphChanges(since: then)
    if sampleRate == then.sampleRate {
      changes += inputChanges(since: then)
    } else {
      // At another sample rate every sound has other samples, so inputs are not compared.
      changes.append(
        .init(.sampleRate, "the sample rate is \(hertz(sampleRate)), was \(hertz(then.sampleRate))")
      )
    }
    if blockSize != then.blockSize {
      changes.append(
        .init(.blockSize, "a block has \(blockSize) frames, had \(then.blockSize)"))
    }
    if seed != then.seed { changes.append(.init(.seed, "the seed is \(seed), was \(then.seed)")) }
    changes += unitChanges(since: then)
    changes += shapeChanges(since: then)
    if processor != then.processor {
      changes.append(
        .init(
          .processor,
          "the processor's instructions are \(processor), were \(then.processor); built-in units "
            + "make the same bits with either"))
    }
    if flushesDenormals != then.flushesDenormals {
      changes.append(
        .init(
          .denormals,
          "denormals are \(flushesDenormals ? "" : "not ")flushed, "
            + "were \(then.flushesDenormals ? "" : "not")"))
    }
    if fxrun != then.fxrun {
      changes.append(.init(.fxrun, "this is fxrun \(fxrun), was \(then.fxrun)"))
    }
    return changes
  }

  private func hertz(_ rate: Double) -> String { "\(shortNumber(rate)) Hz" }

  private func inputChanges(since then: RenderEnvironment) -> [CaseVerdict.EnvironmentChange] {
    inputs.keys.sorted().compactMap { name in
      guard let before = then.inputs[name], before != inputs[name] else { return nil }
      return .init(.input, node: name, "what the source '\(name)' reads has changed")
    }
  }

  /// Changes of latency, ports and instances of nodes that both have.
  private func shapeChanges(since then: RenderEnvironment) -> [CaseVerdict.EnvironmentChange] {
    let before = Dictionary(then.shapes.map { ($0.node, $0) }) { first, _ in first }
    // At another sample rate every latency has another number of frames.
    guard sampleRate == then.sampleRate else { return [] }
    return shapes.flatMap { shape in
      (before[shape.node].map(shape.changes) ?? []).map {
        .init(.shape, node: shape.node, $0)
      }
    }
  }

  // MARK: Units

  private func unitChanges(since then: RenderEnvironment) -> [CaseVerdict.EnvironmentChange] {
    var changes: [CaseVerdict.EnvironmentChange] = []
    let before = Dictionary(then.units.map { ($0.node, $0) }) { first, _ in first }
    for unit in units {
      guard let old = before[unit.node], old.unit == unit.unit else { continue }
      if unit.version != old.version || unit.binary != old.binary {
        changes.append(change(of: unit, since: old))
      }
      if unit.state != old.state {
        changes.append(
          .init(
            .state, node: unit.node,
            "what '\(unit.node)' starts with (its preset or saved state) has changed"))
      }
    }
    return changes
  }

  private func change(of unit: UnitIdentity, since old: UnitIdentity)
    -> CaseVerdict.EnvironmentChange
  {
    guard let binary = unit.binary ?? old.binary else {
      return .init(
        .unit, node: unit.node,
        "the unit '\(unit.unit)' of '\(unit.node)' has revision \(unit.version), had \(old.version)"
      )
    }
    let name = "the plugin of '\(unit.node)' (\(unit.unit))"
    // Another build is often one from another folder.
    let place = Self.place(of: unit, since: old)
    guard unit.version == old.version else {
      return .init(
        .plugin, node: unit.node, "\(name) has version \(unit.version), had \(old.version)\(place)")
    }
    return .init(
      .plugin, node: unit.node,
      "\(name) says version \(unit.version) as before but is another build "
        + "(SHA-256 \((unit.binary ?? "none").prefix(12)), was \((old.binary ?? binary).prefix(12)))"
        + place)
  }

  /// `; it is in 2 bundles and that of '/usr/lib/lv2/a.lv2/' is used` for a plugin that is or was in
  /// several bundles.
  private static func place(of unit: UnitIdentity, since old: UnitIdentity) -> String {
    guard unit.bundles != old.bundles else { return "" }
    func words(_ unit: UnitIdentity, _ verb: String) -> String {
      unit.bundles.first.map { "in \(unit.bundles.count) bundles, and '\($0)' \(verb) used" }
        ?? "in one bundle"
    }
    return "; it is \(words(unit, "is")), and was \(words(old, "was"))"
  }

  // MARK: Graph

  private func graphChanges(since then: RenderEnvironment) -> [CaseVerdict.EnvironmentChange] {
    Self.changes(of: graph, since: then.graph) + midiChanges(since: then)
  }

  private func midiChanges(since then: RenderEnvironment) -> [CaseVerdict.EnvironmentChange] {
    midi.sorted { $0.key < $1.key }.compactMap { node, messages in
      then.midi[node].flatMap { MIDIWords.change(of: node, messages, since: $0) }
        .map { .init(.chain, node: node, $0) }
    }
  }

  /// The changes of a chain's graph.
  static func changes(
    of now: [GraphFact], since then: [GraphFact]
  ) -> [CaseVerdict.EnvironmentChange] {
    guard now != then else { return [] }
    var changes: [CaseVerdict.EnvironmentChange] = []
    let old = Dictionary(then.map { ($0.name, $0) }) { first, _ in first }
    let names = Set(now.map(\.name))
    for fact in now {
      guard let before = old[fact.name] else {
        changes.append(.init(.chain, node: fact.node, "\(fact.title) is new\(fact.summary)"))
        continue
      }
      changes += fact.changes(since: before)
    }
    for fact in then where !names.contains(fact.name) {
      changes.append(.init(.chain, node: fact.node, "\(fact.title) is gone\(fact.summary)"))
    }
    if changes.isEmpty {
      changes.append(
        .init(
          .chain,
          "the order of nodes or connections, in which signals are summed, has changed"))
    }
    return changes
  }
}

extension GraphFact {
  private var isConnection: Bool { name.contains(" -> ") }

  /// The node that a change is about; for a connection, the receiving node.
  fileprivate var node: String? {
    guard isConnection else { return name == "chain" ? nil : name }
    guard let arrow = name.range(ofText: " -> ") else { return nil }
    let end = name[arrow.upperBound...]
    return String(end.prefix { $0 != "." && $0 != "[" && $0 != " " })
  }

  fileprivate var title: String {
    isConnection ? "the connection \(name)" : name == "chain" ? "the chain" : "'\(name)'"
  }

  /// ` (compressor)`.
  fileprivate var summary: String {
    guard !isConnection, let first = values.first else { return "" }
    return " (\(first.value))"
  }

  /// A value for people: the gain of a connection in decibels, as chains say it.
  private func shown(_ key: String, _ value: String) -> String {
    guard isConnection, key == "gain", let gain = Double(value), gain.isFinite else { return value }
    guard gain != 0 else { return "silence" }
    let decibels = (Math.decibels(amplitude: abs(gain)) * 1e4).rounded() / 1e4
    return "\(gain < 0 ? "inverted, " : "")\(shortNumber(decibels)) dB"
  }

  /// One change for each value: "comp.ratio is 4.0004, was 4".
  fileprivate func changes(since old: GraphFact) -> [CaseVerdict.EnvironmentChange] {
    func change(_ key: String, _ words: String) -> CaseVerdict.EnvironmentChange {
      let subject = isConnection ? "\(key) of \(name)" : name == "chain" ? key : "\(name).\(key)"
      return .init(.chain, node: node, "\(subject) \(words)")
    }
    var changes: [CaseVerdict.EnvironmentChange] = []
    for value in values where value.value != old.value(value.key) {
      let before = old.value(value.key).map { "was \(shown(value.key, $0))" } ?? "was not there"
      changes.append(change(value.key, "is \(shown(value.key, value.value)), \(before)"))
    }
    for value in old.values where self.value(value.key) == nil {
      changes.append(change(value.key, "is not there, was \(shown(value.key, value.value))"))
    }
    return changes
  }
}

extension String {
  /// The first occurrence of a text.
  fileprivate func range(ofText text: String) -> Range<Index>? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(text) { return index..<self.index(index, offsetBy: text.count) }
      index = self.index(after: index)
    }
    return nil
  }
}

extension Manifest {
  /// A sentence about changes of a chain that do not change its sound; nil for none.
  func unheardChange(of graph: [GraphFact]) -> String? {
    let changes = RenderEnvironment.changes(of: graph, since: environment.graph).map(\.message)
    // A node that was added or removed brings changes of its connections; list only the node.
    let nodes = changes.filter { !$0.hasPrefix("the connection ") }
    let listed = nodes.isEmpty ? changes : nodes
    guard !listed.isEmpty else { return nil }
    let more = listed.count > 4 ? " and \(listed.count - 4) changes more" : ""
    return
      "the chain changed: \(listed.prefix(4).joined(separator: ", "))\(more); its sound did not"
  }
}
