import FxAudio
import FxEngine

/// Parameters by name: `--set`, exposed names, included chains' parameters, `--bypass`.
extension GraphBuilder {
  /// The user of a parameter name: a place in a chain file, or an argument.
  struct Referrer {
    var place: Place?
    var origin: String?
  }

  /// The parameter for a reference in a scope; a mistake is reported.
  func locate(_ reference: String, _ scope: Scope, _ referrer: Referrer) -> Scope.Exposure? {
    guard let dot = reference.firstIndex(of: ".") else {
      if let exposure = scope.exposures[reference] { return exposure }
      // An exposed name that could not be resolved was reported already.
      guard !scope.document.exposed.contains(where: { $0.name.value == reference }) else {
        return nil
      }
      var hints = Suggestion.hint(for: reference, in: scope.exposures.keys.sorted())
      if scope.names[reference] != nil {
        hints = ["'\(reference)' is a node; its parameters are '\(reference).parameter'"]
      } else if hints.isEmpty {
        hints = ["a parameter is written \"node.parameter\""]
      }
      report(
        .unknownParameter, "the chain exposes no parameter '\(reference)'", referrer.place,
        hints: hints, origin: referrer.origin)
      return nil
    }
    let node = String(reference[..<dot])
    let path = String(reference[reference.index(after: dot)...])
    guard let target = lookUp(node, scope, referrer.place, origin: referrer.origin) else {
      return nil
    }
    switch target {
    case .chain(let inner):
      if inner.exposures[path] != nil { return inner.exposures[path] }
      let names = inner.document.exposed.map(\.name.value)
      guard !names.contains(path) else { return nil }
      var hints = Suggestion.hint(for: path, in: names)
      if let step = path.firstIndex(of: "."), inner.names[String(path[..<step])] != nil {
        hints = ["parameters inside are written \"\(node)/\(path)\""]
      } else if hints.isEmpty {
        hints =
          names.isEmpty ? ["it exposes none"] : ["it exposes: \(names.joined(separator: ", "))"]
      }
      report(
        .unknownParameter, "the chain '\(node)' exposes no parameter '\(path)'", referrer.place,
        hints: hints, origin: referrer.origin)
      return nil
    case .draft(let index):
      let draft = drafts[index]
      if draft.isBroken { return nil }
      if let slot = draft.slot(path) {
        return Scope.Exposure(draft: index, slot: slot, spec: draft.slots[slot].spec)
      }
      let hints = ParameterHints(slots: draft.slots, spec: draft.facts?.spec).hints(for: path)
      report(
        .unknownParameter, "'\(node)' has no parameter '\(path)'", referrer.place, hints: hints,
        origin: referrer.origin)
      return nil
    }
  }

  // MARK: Exposed names

  func resolveExposures(_ scope: Scope) {
    for document in scope.document.exposed {
      let referrer = Referrer(place: document.parameter.place)
      guard scope.exposures[document.name.value] == nil else { continue }
      guard document.parameter.value.contains(".") else {
        report(
          .unknownParameter, "'\(document.parameter.value)' is not a parameter",
          document.parameter.place, hints: ["a parameter is written \"node.parameter\""])
        continue
      }
      guard var exposure = locate(document.parameter.value, scope, referrer) else { continue }
      if let range = range(document, exposure.spec) {
        exposure.spec = exposure.spec.renamed(document.name.value).ranging(range)
      }
      scope.exposures[document.name.value] = exposure
    }
  }

  private func range(_ document: ExposedDocument, _ spec: ParameterSpec) -> ClosedRange<Double>? {
    guard document.range.count == 2 else { return spec.range }
    var bounds: [Double] = []
    for bound in document.range {
      do throws(ValueProblem) {
        bounds.append(try spec.value(bound.value, context: context))
      } catch {
        diagnostics.add(error.diagnostic(at: bound.place))
      }
    }
    guard bounds.count == 2 else { return nil }
    guard bounds[0] <= bounds[1] else {
      report(
        .outOfRange, "the range's least value is above its greatest", document.range[0].place)
      return nil
    }
    return bounds[0]...bounds[1]
  }

  /// Applies the values that a `use` node sets inside its chain.
  func applyParameters(of scope: Scope) {
    for entry in scope.node?.parameters ?? [] {
      let referrer = Referrer(place: entry.name.place)
      guard let target = locate(entry.name.value, scope, referrer) else { continue }
      setValue(
        drafts[target.draft], target.slot, entry.value.value, entry.value.place, spec: target.spec)
      check(target, entry.name.place, nil)
    }
  }

  // MARK: Command line

  func applyOverrides(_ scope: Scope) {
    for item in environment.overrides {
      let origin = "--set \(item.parameter)=\(item.value)"
      guard let target = locate(item.parameter, scope, Referrer(origin: origin)) else { continue }
      let draft = drafts[target.draft]
      guard !draft.automatedSlots.contains(target.slot) else {
        report(
          .duplicateAutomation, "'\(item.parameter)' is automated; a value would not last", nil,
          origin: origin)
        continue
      }
      setValue(
        draft, target.slot, RawValue(item.value, version: document.settings.version), nil,
        spec: target.spec, origin: origin)
      check(target, nil, origin)
    }
    for name in environment.bypassed {
      let origin = "--bypass \(name)"
      guard let index = bypassable(name, scope, Referrer(origin: origin)) else { continue }
      let draft = drafts[index]
      draft.endAutomation(of: draft.bypassSlot)
      draft.values[draft.bypassSlot] = 1
    }
  }

  /// Reports a parameter whose value has no effect.
  private func check(_ target: Scope.Exposure, _ place: Place?, _ origin: String?) {
    let draft = drafts[target.draft]
    checkDry(draft, target.slot, place, origin)
    guard draft.values.indices.contains(target.slot) else { return }
    checkUse(of: draft, target.slot, value: draft.values[target.slot], place, origin)
  }

  /// Reports `wet` or `bypass` on a unit without a dry signal to mix.
  func checkDry(_ draft: NodeBuilder, _ slot: Int, _ place: Place?, _ origin: String?) {
    guard let facts = draft.facts, !facts.hasDrySignal, draft.mixesDry(slot) else { return }
    reportNoDrySignal(facts, draft.slots[slot].path, place, origin: origin)
  }
}
