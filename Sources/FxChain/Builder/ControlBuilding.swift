import FxAudio
import FxEngine

/// MIDI mappings with targets resolved and ranges in the parameters' units of measure.
extension GraphBuilder {
  /// Mappings in an included chain are checked but ignored: only the played chain decides which
  /// control does what.
  ///
  /// - Parameter offsets: by scope, the number of scenes before its own.
  func controls(_ offsets: [Int]) -> [MIDIControl] {
    var controls: [MIDIControl] = []
    for scope in scopes {
      for document in scope.document.control.controls {
        guard let control = control(document, scope, offsets), scope.parent == nil else {
          continue
        }
        controls.append(control)
      }
    }
    return controls
  }

  private func control(
    _ document: ControlDocument, _ scope: Scope, _ offsets: [Int]
  ) -> MIDIControl? {
    var isNote = false
    if case .note = document.trigger { isNote = true }
    let toggles = document.isToggle?.value ?? isNote
    let action: MIDIControl.Action
    let name: String
    switch document.target {
    case .tap:
      name = "tap"
      action = .tap
    case .scene(let scene):
      guard let number = sceneNumber(scene.value, scope, Referrer(place: scene.place)) else {
        return nil
      }
      name = scene.value
      action = .scene(offsets[number.scope] + number.scene)
    case .bypass(let node):
      guard let index = bypassable(node.value, scope, Referrer(place: node.place)) else {
        return nil
      }
      let draft = drafts[index]
      checkAutomated(
        Scope.Exposure(
          draft: index, slot: draft.bypassSlot, spec: draft.slots[draft.bypassSlot].spec),
        "\(node.value).bypass", node.place)
      name = node.value
      action = toggles ? .toggleBypass(node: index) : .bypass(node: index)
    case .parameter(let parameter):
      guard let target = locate(parameter.value, scope, Referrer(place: parameter.place)) else {
        return nil
      }
      checkDry(drafts[target.draft], target.slot, parameter.place, nil)
      checkUse(of: drafts[target.draft], target.slot, parameter.place, nil)
      checkAutomated(target, parameter.value, parameter.place)
      if let mode = document.isToggle, !target.spec.isToggle {
        report(
          .conflictingKeys, "'mode' belongs to a switch, and '\(parameter.value)' is not one",
          mode.place)
        return nil
      }
      name = parameter.value
      // The node is a number of a draft until the graph is built.
      let found = BuiltChain.Parameter(node: target.draft, slot: target.slot, spec: target.spec)
      if target.spec.isToggle, toggles {
        if let place = document.rangePlace, document.isToggle != nil || isNote {
          report(
            .conflictingKeys, "'range' does not go with a switch that each press changes over",
            place, hints: ["\"mode\": \"momentary\""])
        }
        action = .toggle(found)
      } else {
        guard let range = range(document, parameter, target.spec) else { return nil }
        action = .parameter(found, range)
      }
    }
    return MIDIControl(
      trigger: document.trigger, channel: document.channel, action: action, target: name)
  }

  private func range(
    _ document: ControlDocument, _ name: Located<String>, _ spec: ParameterSpec
  ) -> ControlRange? {
    var start = spec.range.lowerBound
    var end = spec.range.upperBound
    if let rate = context.sampleRate, spec.measure == .hertz { end = min(end, rate / 2) }
    if document.range.count == 2 {
      do throws(ValueProblem) {
        start = try spec.value(document.range[0].value, context: context)
      } catch {
        diagnostics.add(error.diagnostic(at: document.range[0].place))
        return nil
      }
      do throws(ValueProblem) {
        end = try spec.value(document.range[1].value, context: context)
      } catch {
        diagnostics.add(error.diagnostic(at: document.range[1].place))
        return nil
      }
    }
    guard ControlRange.canMove(from: start, to: end, spec) else {
      report(
        .outOfRange, "'\(name.value)' has no end that a controller could reach",
        document.rangePlace ?? name.place, hints: ["give a finite range: \"range\": [ …, … ]"])
      return nil
    }
    let usual = ControlRange.usualCurve(spec, start, end)
    if let curve = document.curve {
      if spec.isToggle || (!spec.choices.isEmpty && spec.choicesAreExclusive) {
        report(
          .invalidCurve, "'\(name.value)' has nothing between its values; it has no curve",
          curve.place)
        return nil
      }
      guard curve.value == .linear || start > 0 && end > 0 else {
        report(
          .invalidCurve, "a 'log' curve leads from one value above 0 to another", curve.place,
          hints: ["use \"linear\", or a range above 0"])
        return nil
      }
    }
    return ControlRange(start: start, end: end, curve: document.curve?.value ?? usual)
  }
}
