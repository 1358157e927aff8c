import FxAudio
import FxEngine

/// Control signals that move parameters. Each one becomes an edge of the graph, and its depth a
/// parameter of the modulated node.
extension GraphBuilder {
  func connectModulations(_ scope: Scope) {
    for document in scope.document.modulations {
      let referrer = Referrer(place: document.to.place)
      let source = controlOutput(document.from, scope)
      let count = links.count
      if let target = locate(document.to.value, scope, referrer), let source {
        connect(document, source, target)
      }
      if links.count == count, let index = draft(document.from.node, scope) {
        excused.insert(index)
      }
    }
  }

  /// The output of a control signal, and its range of values.
  private struct ControlOutput {
    let end: Connection.Endpoint
    let range: ClosedRange<Double>
    /// The name of its node, without the names of the chains around it.
    let name: String
  }

  private func connect(
    _ document: ModulationDocument, _ source: ControlOutput, _ target: Scope.Exposure
  ) {
    let draft = drafts[target.draft]
    guard draft.slots.indices.contains(target.slot) else { return }
    checkDry(draft, target.slot, document.to.place, nil)
    checkUse(of: draft, target.slot, document.to.place, nil)
    guard !draft.slots[target.slot].spec.isExpensive else {
      report(
        .invalidConnection,
        "'\(document.to.value)' is expensive to change, says the plugin; no signal can move it",
        document.to.place)
      return
    }
    let slot = draft.slots[target.slot]
    let name = document.id?.value ?? source.name
    let path = "\(slot.path).\(name)"
    guard draft.slot(path) == nil else {
      report(
        .duplicateName, "'\(name)' moves '\(document.to.value)' twice",
        document.id?.place ?? document.place,
        hints: ["give one of them an \"id\" of its own"])
      return
    }
    var range = source.range
    if document.range.count == 2 { range = document.range[0].value...document.range[1].value }
    let isBipolar =
      document.isBipolar ?? (range.lowerBound < 0 && range.upperBound == -range.lowerBound)
    let depth = ModulationDepth(name, of: target.spec, isBipolar: isBipolar, document.depth)
    guard let value = value(of: depth, document) else { return }
    let bus = draft.modulate(
      Modulation(
        slot: target.slot, depthSlot: draft.slots.count, scale: depth.scale,
        curve: document.curve, range: range, isBipolar: isBipolar),
      depth: ParameterSlot(
        path: path, ordinalPath: slot.ordinalPath.map { "\($0).\(name)" },
        spec: depth.spec(defaultValue: value)),
      value: value)
    var link = Link(
      from: source.end, to: Connection.Endpoint(node: target.draft, bus: bus),
      place: document.place)
    if document.feedback?.value == true { link.feedbackDelay = feedbackDelay(document.delay) }
    links.append(link)
  }

  private func value(of depth: ModulationDepth, _ document: ModulationDocument) -> Double? {
    do throws(ValueProblem) {
      return try depth.value(context: context)
    } catch {
      diagnostics.add(error.diagnostic(at: document.depth?.place ?? document.place))
      return nil
    }
  }

  // MARK: Where it comes from

  private func controlOutput(_ end: EndDocument, _ scope: Scope) -> ControlOutput? {
    guard let target = lookUp(end.node, scope, end.place) else { return nil }
    guard case .draft(let index) = target else {
      report(
        .noControlSignal, "'\(end.node)' is an included chain", end.place,
        hints: ["name the modulator in it: '\(end.node)/…'"])
      return nil
    }
    let draft = drafts[index]
    guard !draft.isBroken else { return nil }
    let name = String(end.node.split(separator: "/").last ?? "")
    for (bus, output) in draft.outputs.enumerated() {
      guard let range = output.controlRange, end.port == nil || end.port == output.name else {
        continue
      }
      return ControlOutput(
        end: Connection.Endpoint(node: index, bus: bus), range: range, name: name)
    }
    if let port = end.port, let bus = readingOutput(port, draft) {
      return ControlOutput(
        end: Connection.Endpoint(node: index, bus: bus),
        range: draft.outputs[bus].controlRange ?? 0...1, name: name)
    }
    reportNoControl(end, draft)
    return nil
  }

  /// The output of a plugin's control port, which is created when a connection names it.
  private func readingOutput(_ port: String, _ draft: NodeBuilder) -> Int? {
    guard let facts = draft.facts, facts.isPlugin,
      let reading = facts.spec.readings.firstIndex(where: { $0.id == port })
    else { return nil }
    return draft.addOutput(ofReading: reading, facts.spec.readings[reading])
  }

  private func reportNoControl(_ end: EndDocument, _ draft: NodeBuilder) {
    let controls = draft.outputs.filter(\.isControl).map(\.name)
    let readings = draft.facts?.isPlugin == true ? draft.facts?.spec.readings.map(\.id) ?? [] : []
    let known = controls + readings
    var hints = end.port.map { Suggestion.hint(for: $0, in: known) } ?? []
    if hints.isEmpty, !known.isEmpty {
      hints = ["its control signals: \(known.prefix(20).joined(separator: ", "))"]
    }
    if known.isEmpty, !draft.outputs.isEmpty {
      hints = ["to follow its level, lead it into an 'envelope'"]
    }
    let what = end.port.map { "'\(end.node)' has no control signal '\($0)'" }
    report(
      .noControlSignal, what ?? "'\(end.node)' gives no control signal", end.place, hints: hints)
  }
}

extension NodeBuilder {
  /// The bus of a control output, which is created when a connection first names it.
  fileprivate func addOutput(ofReading reading: Int, _ spec: ReadingSpec) -> Int {
    let first = outputs.count - controlReadings.count
    if let known = controlReadings.firstIndex(of: reading) { return first + known }
    controlReadings.append(reading)
    outputs.append(.control(spec.id, spec.range ?? 0...1))
    return outputs.count - 1
  }
}
