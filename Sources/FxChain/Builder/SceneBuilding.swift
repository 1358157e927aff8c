import FxAudio
import FxEngine

/// Scenes, with values in the parameters' units of measure.
extension GraphBuilder {
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
      if sceneNumbers[scene.name] == nil {
        sceneNumbers[scene.name] = SceneNumber(scope: scope.number, scene: scope.scenes.count)
      }
      scope.scenes.append(scene)
    }
  }

  private func add(
    _ value: Double, for target: Scope.Exposure, _ name: Located<String>, to scene: inout SceneDraft
  ) {
    let moved = SceneDraft.Moved(draft: target.draft, slot: target.slot)
    guard scene.moved.insert(moved).inserted else {
      report(
        .conflictingKeys, "the scene sets '\(name.value)' twice", name.place,
        hints: ["leave one of them out"])
      return
    }
    scene.changes.append(SceneDraft.Change(target: target, value: value, name: name))
  }

  /// The node of a bypass; a mistake is reported.
  func bypassable(_ name: String, _ scope: Scope, _ referrer: Referrer) -> Int? {
    guard let target = lookUp(name, scope, referrer.place, origin: referrer.origin) else {
      return nil
    }
    switch target {
    case .chain:
      report(
        .notSupportedYet, "an included chain cannot be bypassed as a whole yet", referrer.place,
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

  /// The scene with this name: its scope and its index there.
  func sceneNumber(_ name: String, _ scope: Scope, _ referrer: Referrer) -> SceneNumber? {
    if let number = sceneNumbers[scope.prefix + name] { return number }
    // A node that could not be read may have this scene.
    if let step = name.firstIndex(of: "/"),
      lookUp(String(name[..<step]), scope, referrer.place, origin: referrer.origin) == nil
    {
      return nil
    }
    // The search for similar names takes time: skip it when the list of messages is full.
    let known =
      diagnostics.isFull
      ? []
      : scopes.lazy.flatMap(\.scenes).map(\.name).filter { $0.hasPrefix(scope.prefix) }
        .prefix(2000).map { String($0.dropFirst(scope.prefix.count)) }
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

  /// By scope: the number of scenes before its own in the list of all scenes.
  var sceneOffsets: [Int] {
    var count = 0
    return scopes.map { scope in
      defer { count += scope.scenes.count }
      return count
    }
  }

  /// Applies the values of the start scene. Returns the scene; nil if there is none.
  func applyStartScene(_ scope: Scope) -> SceneNumber? {
    var referrer = Referrer(place: nil)
    let name: String
    if scope.parent == nil, let scene = environment.scene {
      name = scene
      referrer.origin = "--scene \(scene)"
    } else if let scene = scope.node?.scene ?? scope.document.scene {
      name = scene.value
      referrer.place = scene.place
    } else {
      return nil
    }
    guard let number = sceneNumber(name, scope, referrer) else { return nil }
    for change in scopes[number.scope].scenes[number.scene].changes {
      let draft = drafts[change.target.draft]
      guard draft.values.indices.contains(change.target.slot) else { continue }
      draft.values[change.target.slot] = change.value
    }
    return number
  }

  /// Rejects values that automation would overwrite at once.
  func checkScenes() {
    for change in scopes.flatMap(\.scenes).flatMap(\.changes) {
      checkAutomated(change.target, change.name.value, change.name.place)
    }
  }

  func checkAutomated(_ target: Scope.Exposure, _ name: String, _ place: Place) {
    let draft = drafts[target.draft]
    guard draft.automatedSlots.contains(target.slot) else { return }
    report(
      .duplicateAutomation, "'\(name)' is automated; another value would not last", place,
      hints: ["leave out its automation, or this"])
  }
}

/// The position of a scene.
struct SceneNumber {
  let scope: Int
  let scene: Int
}

/// A scene while the graph is built.
struct SceneDraft {
  struct Change {
    var target: Scope.Exposure
    var value: Double
    /// The spelling in the chain.
    var name: Located<String>
  }

  struct Moved: Hashable {
    let draft: Int
    let slot: Int
  }

  var name: String
  var changes: [Change] = []
  /// The parameters and nodes that it changes.
  var moved: Set<Moved> = []
  var ramp: Double?
}
