import FxAudio
import FxEngine

/// The start state of an LV2 node: a preset, a saved state, properties.
extension GraphBuilder {
  /// The most entries listed in a message.
  private static let shownCount = 12

  /// Applies the values of the preset or the state, which the chain's own parameters override, and
  /// records what to give the plugin.
  func configureState(_ draft: NodeBuilder, _ facts: UnitFacts, _ node: NodeDocument) {
    guard case .lv2(let uri) = facts.kind else { return }
    if let preset = node.preset {
      if let found = self.preset(preset, of: uri, facts) {
        apply(.preset(found.uri), "preset '\(found.label)'", preset.place, draft, facts, uri)
      }
    } else if let state = node.state {
      let path = ChainFile.path(state.value, relativeTo: draft.scope.document.path)
      if state.value.isEmpty {
        report(.invalidValue, "'state' names no folder", state.place)
      } else {
        apply(
          .folder(ChainFile.absolute(path)), "state '\(state.value)'", state.place, draft, facts,
          uri)
      }
    }
    configureProperties(draft, facts, node, uri)
  }

  /// Reads the start state of an LV2 node in advance, so that building the graph reads no file.
  /// Errors are reported when the graph is built.
  func readState(_ draft: NodeBuilder) {
    guard let node = draft.document, case .lv2(let uri)? = draft.facts?.kind else { return }
    let folder = draft.scope.document.path
    if let preset = node.preset, let facts = draft.facts {
      if let found = self.preset(preset, of: uri, facts) {
        _ = try? files.state(.preset(found.uri), ofPlugin: uri, in: catalog)
      }
    } else if let state = node.state?.value, !state.isEmpty {
      let path = ChainFile.absolute(ChainFile.path(state, relativeTo: folder))
      _ = try? files.state(.folder(path), ofPlugin: uri, in: catalog)
    }
    guard !node.properties.isEmpty else { return }
    let properties = catalog.properties(ofPlugin: uri)
    for entry in node.properties {
      guard PluginProperty.find(entry.name.value, in: properties)?.kind == .file,
        let path = entry.value.value.text, !path.isEmpty
      else { continue }
      _ = files.obstacle(ChainFile.path(path, relativeTo: folder))
    }
  }

  private func apply(
    _ state: PluginSetup.State, _ name: String, _ place: Place, _ draft: NodeBuilder,
    _ facts: UnitFacts,
    _ uri: String
  ) {
    do throws(Failure) {
      let found = try files.state(state, ofPlugin: uri, in: catalog)
      for (parameter, value) in found.parameters {
        guard let slot = facts.parameterIndex[parameter] else { continue }
        draft.values[slot] = value
      }
      draft.setup.state = state
      guard !found.notes.isEmpty else { return }
      let hidden = found.notes.count - Self.shownCount
      report(
        .unfitState, "the \(name) does not fit the plugin in every point", place,
        hints: found.notes.prefix(Self.shownCount) + (hidden > 0 ? ["… and \(hidden) more"] : []))
    } catch {
      report(.unusableState, "the \(name) cannot be used: \(error.message)", place)
    }
  }

  // MARK: Presets

  /// The preset with a URI or a label.
  private func preset(_ wanted: Located<String>, of uri: String, _ facts: UnitFacts)
    -> PluginPreset?
  {
    let presets = files.presets(ofPlugin: uri, in: catalog)
    let name = wanted.value
    let found = PluginPreset.find(name, in: presets)
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      report(
        .unknownPreset, "\(facts.name) has no preset '\(name)'", wanted.place,
        hints: presetHints(name, presets))
    } else {
      report(
        .ambiguousPreset, "\(facts.name) has \(found.count) presets '\(name)'", wanted.place,
        hints: found.prefix(Self.shownCount).map { preset in
          "\"\(preset.fullName)\" is \(preset.uri)"
        })
    }
    return nil
  }

  private func presetHints(_ name: String, _ presets: [PluginPreset]) -> [String] {
    if presets.isEmpty { return ["it has none"] }
    let labels = presets.map(\.label)
    let isURI = name.contains(":")
    let hint = Suggestion.hint(
      for: name, in: isURI ? presets.map(\.uri) : labels + presets.compactMap(\.nameInBank))
    if labels.count <= Self.shownCount || hint.isEmpty {
      let shown = labels.prefix(Self.shownCount).joined(separator: ", ")
      return hint + ["it has: \(shown)\(labels.count > Self.shownCount ? ", …" : "")"]
    }
    return hint
  }

  // MARK: Properties

  private func configureProperties(
    _ draft: NodeBuilder, _ facts: UnitFacts, _ node: NodeDocument, _ uri: String
  ) {
    guard !node.properties.isEmpty else { return }
    let properties = catalog.properties(ofPlugin: uri)
    var given: Set<String> = []
    for entry in node.properties {
      let key = entry.name.value
      guard let property = PluginProperty.find(key, in: properties) else {
        reportUnknownProperty(entry, properties, facts)
        continue
      }
      guard given.insert(property.uri).inserted else {
        report(
          .conflictingKeys, "the property '\(property.uri)' is given twice", entry.name.place)
        continue
      }
      do throws(ValueProblem) {
        let value = try property.value(entry.value.value, draft, files, context: context)
        draft.setup.properties.append(PluginSetup.Property(uri: property.uri, value: value))
      } catch {
        diagnostics.add(error.diagnostic(at: entry.value.place))
      }
    }
  }

  private func reportUnknownProperty(
    _ entry: NamedValue, _ properties: [PluginProperty], _ facts: UnitFacts
  ) {
    let key = entry.name.value
    var hints: [String] = []
    if facts.parameterIndex[key] != nil {
      hints = ["it is a parameter: \"parameters\": { \"\(key)\": … }"]
    } else if properties.isEmpty {
      hints = ["it has none"]
    } else {
      let names = properties.map(\.name)
      hints = Suggestion.hint(
        for: key, in: key.contains(":") ? properties.map(\.uri) : names + properties.map(\.label))
      if hints.isEmpty {
        let shown = names.prefix(Self.shownCount).joined(separator: ", ")
        hints = ["it has: \(shown)\(names.count > Self.shownCount ? ", …" : "")"]
      }
    }
    report(
      .unknownProperty, "\(facts.name) has no property '\(key)'", entry.name.place, hints: hints)
  }
}

extension PluginProperty {
  /// Reads a chain's value of this property.
  fileprivate func value(
    _ raw: RawValue, _ draft: NodeBuilder, _ files: NamedFiles, context: ValueContext
  ) throws(ValueProblem) -> PluginSetup.Value {
    switch kind {
    case .number(let spec): return .number(try spec.value(raw, context: context))
    case .flag:
      let toggle = ParameterSpec.toggle(name, label)
      return .flag(try toggle.value(raw, context: context) == 1)
    case .text, .uri:
      guard let text = raw.text else { throw notText(raw) }
      if kind == .uri, !text.contains(":") {
        throw ValueProblem(.invalidValue, "'\(name)' is a URI, \(raw.shown) is not")
      }
      return .text(text)
    case .file:
      guard let text = raw.text else { throw notText(raw) }
      guard !text.isEmpty else { throw ValueProblem(.invalidValue, "'\(name)' names no file") }
      let path = ChainFile.path(text, relativeTo: draft.scope.document.path)
      if let obstacle = files.obstacle(path) {
        throw ValueProblem(
          .unreadableFile, "the file '\(path)' for '\(name)' cannot be read: \(obstacle)")
      }
      return .file(ChainFile.absolute(path))
    case .unsupported(let type):
      throw ValueProblem(
        .notSupportedYet,
        "'\(name)' is of the type '\(type)', which a chain cannot write")
    }
  }

  private func notText(_ raw: RawValue) -> ValueProblem {
    ValueProblem(.wrongType, "'\(name)' is a string, \(raw.shown) is not")
  }
}
