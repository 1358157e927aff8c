import FxAudio
import FxEngine

/// Options, parameters and the node's own keys, as numbers.
extension GraphBuilder {
  func configure(_ draft: NodeBuilder) {
    guard let facts = draft.facts, let node = draft.document else { return }
    draft.slots = NodeParameters.slots(of: facts.spec, items: draft.items)
    draft.values = draft.slots.map(\.spec.defaultValue)
    let preset = unitPreset(facts, node)
    configureOptions(draft, facts, node, preset)
    placeEqualizer(draft, facts)
    configureItems(draft, facts)
    configureRanges(draft)
    for (id, value) in preset?.parameters ?? [:] {
      if let slot = facts.parameterIndex[id] { draft.values[slot] = value }
    }
    configureEqualizer(draft, facts)
    configureState(draft, facts, node)
    configureMIDI(draft, facts, node)
    for entry in node.parameters {
      let key = entry.name.value
      guard let slot = facts.parameterIndex[key] else {
        reportUnknownParameter(entry, facts)
        continue
      }
      setUsedValue(draft, slot, entry)
    }
    if let wet = node.wet, setValue(draft, draft.wetSlot, wet.value, wet.place),
      draft.values[draft.wetSlot] != 1, !facts.hasDrySignal
    {
      reportNoDrySignal(facts, "wet", wet.place)
    }
    if let bypass = node.bypass, bypass.value {
      if facts.hasDrySignal {
        draft.values[draft.bypassSlot] = 1
      } else {
        reportNoDrySignal(facts, "bypass", bypass.place)
      }
    }
    draft.setup.isIsolated = facts.isPlugin && node.isolated?.value == true
    if let latency = node.latency, let key = ChainFormat.lv2Node.key("latency") {
      do throws(ValueProblem) {
        draft.latencyOverride = Int(try key.number(latency.value, context: context))
      } catch {
        diagnostics.add(error.diagnostic(at: latency.place))
      }
    }
  }

  func reportNoDrySignal(
    _ facts: UnitFacts, _ key: String, _ place: Place?, origin: String? = nil
  ) {
    report(
      .noDrySignal, "\(facts.name) has no single input that '\(key)' could pass on", place,
      origin: origin)
  }

  /// Sets one value. False if it is not valid, which is reported.
  @discardableResult
  func setValue(
    _ draft: NodeBuilder, _ slot: Int, _ raw: RawValue, _ place: Place?, spec: ParameterSpec? = nil,
    origin: String? = nil
  ) -> Bool {
    guard draft.slots.indices.contains(slot) else { return false }
    do throws(ValueProblem) {
      draft.values[slot] = try (spec ?? draft.slots[slot].spec).value(raw, context: context)
      draft.noteSet(slot)
      noteBeats(draft, slot, raw, place)
      return true
    } catch {
      diagnostics.add(error.diagnostic(at: place, origin: origin))
      return false
    }
  }

  /// Sets one value written in the node; it must have an effect.
  func setUsedValue(_ draft: NodeBuilder, _ slot: Int, _ entry: NamedValue) {
    var slot = slot
    if draft.slots.indices.contains(slot), entry.value.value.isInBeats,
      let twin = draft.slots[slot].spec.beatsParameter.flatMap({ draft.slot($0) })
    {
      slot = twin
    }
    guard setValue(draft, slot, entry.value.value, entry.value.place) else { return }
    checkUse(of: draft, slot, value: draft.values[slot], entry.name.place, nil)
  }

  /// Reports a parameter that has no effect with the options of its unit; its default value is
  /// allowed.
  func checkUse(
    of draft: NodeBuilder, _ slot: Int, value: Double? = nil, _ place: Place?, _ origin: String?
  ) {
    guard draft.slots.indices.contains(slot), value != draft.slots[slot].spec.defaultValue,
      let problem = draft.slots[slot].unusedProblem(options: draft.options, items: draft.items)
    else { return }
    diagnostics.add(problem.diagnostic(at: place, origin: origin))
  }

  private func reportUnknownParameter(_ entry: NamedValue, _ facts: UnitFacts) {
    let key = entry.name.value
    let slots = facts.spec.parameterSlots(items: [])
    var hints = ParameterHints(slots: slots, spec: facts.spec).hints(for: key)
    if key == "wet" || key == "bypass" || facts.spec.options.contains(where: { $0.key == key })
      || facts.spec.list?.key == key
    {
      hints = ["'\(key)' stands beside 'parameters', not in it"]
    }
    report(
      .unknownParameter, "\(facts.name) has no parameter '\(key)'", entry.name.place, hints: hints)
  }

  // MARK: Options

  /// Sets the ranges of control outputs that depend on build options.
  private func configureRanges(_ draft: NodeBuilder) {
    for index in draft.outputs.indices {
      let keys = draft.outputs[index].rangeOptions
      guard keys.count == 2, case .number(let low)? = draft.options[keys[0]],
        case .number(let high)? = draft.options[keys[1]]
      else { continue }
      guard low < high else {
        let extra = draft.document?.extras.first { keys.contains($0.key.value) }
        report(
          .invalidValue,
          "'\(keys[0])' \(shortNumber(low)) is not below '\(keys[1])' \(shortNumber(high))",
          extra?.place ?? draft.place)
        continue
      }
      draft.outputs[index].controlRange = low...high
    }
  }

  private func configureOptions(
    _ draft: NodeBuilder, _ facts: UnitFacts, _ node: NodeDocument, _ preset: UnitPreset?
  ) {
    let spec = facts.spec
    for option in spec.options {
      draft.options[option.key] = preset?.options[option.key] ?? option.defaultValue
    }
    var given: Set<String> = []
    for extra in node.extras {
      let key = extra.key.value
      if key == spec.list?.key { continue }
      guard let option = spec.options.first(where: { $0.key == key }) else {
        reportUnknownKey(extra, facts)
        continue
      }
      guard given.insert(key).inserted, extra.content != .unreadable else { continue }
      guard let raw = option.raw(extra.content) else {
        let wanted =
          if case .numbers = option.kind { "a list of whole numbers" } else {
            "a value, not an object or a list"
          }
        report(
          .wrongType, "'\(key)' of \(facts.name) is \(wanted)", extra.place,
          hints: ["(\(key): \(option.describedRange))"])
        continue
      }
      if let value = self.option(option, Located(value: raw, place: extra.place), draft) {
        draft.options[key] = value
      }
    }
    for option in spec.options where option.defaultValue == nil && !given.contains(option.key) {
      report(
        .missingKey, "\(facts.name) needs '\(option.key)'", draft.place,
        hints: ["(\(option.key): \(option.describedRange))"])
    }
  }

  func option(_ option: OptionSpec, _ value: Located<RawValue>, _ draft: NodeBuilder)
    -> OptionValue?
  {
    do throws(ValueProblem) {
      let read = try option.value(value.value, context: context)
      if let name = read.modelPath { return model(name, value.place, draft) }
      guard let name = read.soundPath else { return read }
      let path = ChainFile.path(name, relativeTo: draft.scope.document.path)
      draft.soundPlaces[path] = value.place
      return .sound(path)
    } catch {
      var place = value.place
      if let part = error.part, let text = value.value.text {
        place = place.part(part, of: text)
      }
      diagnostics.add(error.diagnostic(at: place))
      return nil
    }
  }

  private func reportUnknownKey(_ extra: NodeExtra, _ facts: UnitFacts) {
    let key = extra.key.value
    let spec = facts.spec
    let format = facts.isPlugin ? ChainFormat.lv2Node : ChainFormat.unitNode
    let names =
      spec.options.map(\.key) + (spec.list.map { [$0.key] } ?? [])
      + format.keys.map(\.key).filter { $0 != "midi" || spec.takesMIDI }
    var hints: [String]
    if facts.parameterIndex[key] != nil {
      hints = ["it is a parameter: \"parameters\": { \"\(key)\": … }"]
    } else if ["enable", "enabled"].contains(key.lowercased()) {
      hints = ["write \"bypass\": true to switch it off"]
    } else if let near = Suggestion.nearest(to: key, in: names) {
      hints = ["did you mean '\(near)'?"]
    } else if let near = Suggestion.nearest(to: key, in: spec.parameters.map(\.id)) {
      hints = ["did you mean the parameter '\(near)'? it stands under \"parameters\""]
    } else {
      hints = ["its keys: \(names.joined(separator: ", "))"]
    }
    report(.unknownKey, "\(facts.name) has no key '\(key)'", extra.key.place, hints: hints)
  }
}
