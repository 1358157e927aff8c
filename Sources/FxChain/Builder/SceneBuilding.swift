import FxAudio
import FxGraph

/// Scenes, their values in the parameters' units of measure.
extension Assembly {
  func resolveScenes(_ scope: Scope) {
    for document in scope.document.scenes {
      var scene = SceneDraft(name: scope.prefix + document.name.value)
      for entry in document.parameters {
        let referrer = Referrer(place: entry.name.place)
        guard let target = locate(entry.name.value, scope, referrer) else { continue }
        checkDry(drafts[target.draft], target.slot, entry.name.place, nil)
        do throws(ValueProblem) {
          let value = try target.spec.value(entry.value.value, context: context)
          checkUse(of: drafts[target.draft], target.slot, value: value, entry.name.place, nil)
          add(value, for: target, entry.name, to: &scene)
        } catch {
          diagnostics.add(error.diagnostic(at: entry.value.place))
        }
      }
      for entry in document.bypass {
        guard let index = bypassable(entry.node.value, scope, Referrer(place: entry.node.place))
        else { continue }
        let draft = drafts[index]
        let target = Scope.Exposure(
          draft: index, slot: draft.bypassSlot, spec: draft.slots[draft.bypassSlot].spec)
        add(entry.isOn ? 1 : 0, for: target, entry.node, to: &scene)
      }
      if let ramp = document.ramp, let key = ChainFormat.scene.key("ramp") {
        do throws(ValueProblem) {
          scene.ramp = try key.number(ramp.value, context: context)
        } catch {
          diagnostics.add(error.diagnostic(at: ramp.place))
        }
      }
      scope.scenes.append(scene)
    }
  }

  private func add(
    _ value: Double, for target: Scope.Exposure, _ name: Located<String>, to scene: inout SceneDraft
  ) {
    if scene.changes.contains(where: {
      $0.target.draft == target.draft && $0.target.slot == target.slot
    }) {
      report(
        .conflictingKeys, "the scene says twice what '\(name.value)' is to be", name.place,
        hints: ["leave one of them out"])
      return
    }
    scene.changes.append(SceneDraft.Change(target: target, value: value, name: name))
  }

  /// The node that a bypass is about; a mistake is reported.
  func bypassable(_ name: String, _ scope: Scope, _ referrer: Referrer) -> Int? {
    guard let target = lookUp(name, scope, referrer.place, origin: referrer.origin) else {
      return nil
    }
    switch target {
    case .chain:
      report(
        .notSupportedYet, "a used chain cannot be bypassed as a whole yet", referrer.place,
        hints: ["bypass its nodes: '\(name)/…'"], origin: referrer.origin)
      return nil
    case .draft(let index):
      let draft = drafts[index]
      guard let facts = draft.facts else {
        if !draft.isBroken {
          report(
            .noDrySignal, "'\(name)' is not a unit or a plugin", referrer.place,
            origin: referrer.origin)
        }
        return nil
      }
      guard facts.hasDrySignal else {
        reportNoDrySignal(facts, "bypass", referrer.place, origin: referrer.origin)
        return nil
      }
      return draft.slots.isEmpty ? nil : index
    }
  }

  // MARK: By name

  /// The scene of this name: its place in the list of all.
  func sceneIndex(_ name: String, _ scope: Scope, _ referrer: Referrer) -> Int? {
    let full = scope.prefix + name
    var index = 0
    for other in scopes {
      if let found = other.scenes.firstIndex(where: { $0.name == full }) { return index + found }
      index += other.scenes.count
    }
    // A node that could not be read may have it.
    if let step = name.firstIndex(of: "/"),
      lookUp(String(name[..<step]), scope, referrer.place, origin: referrer.origin) == nil
    {
      return nil
    }
    let known = scopes.flatMap(\.scenes).map(\.name).filter { $0.hasPrefix(scope.prefix) }
      .map { String($0.dropFirst(scope.prefix.count)) }
    var hints = Suggestion.hint(for: name, in: known)
    if hints.isEmpty, !known.isEmpty {
      hints = ["its scenes: \(known.prefix(20).joined(separator: ", "))"]
    }
    if known.isEmpty { hints = ["the chain has none; declare it: \"scenes\": { \"\(name)\": … }"] }
    report(
      .unknownScene, "the chain has no scene '\(name)'", referrer.place, hints: hints,
      origin: referrer.origin)
    return nil
  }

  /// Sets what the scene that a chain begins with says.
  func applyStartScene(_ scope: Scope) {
    var referrer = Referrer(place: nil)
    let name: String
    if scope.parent == nil, let scene = environment.scene {
      name = scene
      referrer.origin = "--scene \(scene)"
    } else if let scene = scope.node?.scene ?? scope.document.scene {
      name = scene.value
      referrer.place = scene.place
    } else {
      return
    }
    guard let index = sceneIndex(name, scope, referrer) else { return }
    if scope.parent == nil { startScene = index }
    for change in scopes.flatMap(\.scenes)[index].changes {
      let draft = drafts[change.target.draft]
      guard draft.values.indices.contains(change.target.slot) else { continue }
      draft.values[change.target.slot] = change.value
    }
  }

  /// Refuses values that automation would take back at once.
  func checkScenes() {
    for change in scopes.flatMap(\.scenes).flatMap(\.changes) {
      checkAutomated(change.target, change.name.value, change.name.place)
    }
  }

  func checkAutomated(_ target: Scope.Exposure, _ name: String, _ place: Place) {
    let draft = drafts[target.draft]
    guard draft.automation.contains(where: { $0.slot == target.slot }) else { return }
    report(
      .duplicateAutomation, "'\(name)' is automated; another value would not last", place,
      hints: ["leave out its automation, or this"])
  }
}

/// A scene while the graph is being put together.
struct SceneDraft {
  struct Change {
    var target: Scope.Exposure
    var value: Double
    /// As the chain spells it.
    var name: Located<String>
  }

  var name: String
  var changes: [Change] = []
  var ramp: Double?
}
