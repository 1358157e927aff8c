import FxAudio
import FxEngine

/// Presets of built-in units.
extension GraphBuilder {
  /// The preset that a node of a built-in unit names; case is ignored.
  func unitPreset(_ facts: UnitFacts, _ node: NodeDocument) -> UnitPreset? {
    guard !facts.isPlugin, let wanted = node.preset else { return nil }
    let presets = facts.spec.presets
    let name = wanted.value.lowercased()
    if let found = presets.first(where: { $0.name.lowercased() == name }) { return found }
    let names = presets.map(\.name)
    let hints =
      names.isEmpty
      ? ["it has none"]
      : Suggestion.hint(for: wanted.value, in: names) + ["it has: \(names.joined(separator: ", "))"]
    report(
      .unknownPreset, "\(facts.name) has no preset '\(wanted.value)'", wanted.place, hints: hints)
    return nil
  }
}
