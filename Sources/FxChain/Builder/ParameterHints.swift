import FxAudio

/// Hints for a name that is not a parameter of a node.
struct ParameterHints {
  /// The most equally good hints that are shown.
  private static let shownCount = 3

  let slots: [ParameterSlot]
  /// The unit of the node; nil for a source or a sink.
  let spec: UnitSpec?
  /// The text before a parameter's name: `comp.`, empty within the node.
  var prefix = ""

  /// Hints: the name in a plugin's window, a similar name, another meaning of the name, or the list
  /// of parameters.
  func hints(for name: String) -> [String] {
    if let kind = spec?.port(named: name), kind.kind != .parameter { return [kind.sentence] }
    let labelled = byLabel(name)
    if labelled.count == 1, WordSearch.words(labelled[0].spec.summary) == WordSearch.words(name) {
      return [didYouMean(labelled)]
    }
    if let near = Suggestion.nearest(to: name, in: slots.map(\.path)),
      let slot = slots.first(where: { $0.path == near })
    {
      return [didYouMean([slot])]
    }
    if !labelled.isEmpty { return [didYouMean(labelled)] }
    if ["enable", "enabled"].contains(name.lowercased()) {
      return ["use '\(prefix)bypass', which is true for off"]
    }
    guard !slots.isEmpty else { return ["it has none"] }
    let names = slots.map(\.path)
    return ["it has: \(names.prefix(20).joined(separator: ", "))\(names.count > 20 ? ", …" : "")"]
  }

  /// The parameters of a plugin whose labels contain the words.
  private func byLabel(_ name: String) -> [ParameterSlot] {
    guard let spec, !spec.ports.isEmpty else { return [] }
    let own = slots.filter { $0.item == nil && spec.parameters.contains($0.spec) }
    return WordSearch.best(for: name, in: own.map(\.spec.summary)).prefix(Self.shownCount)
      .map { own[$0] }
  }

  /// `did you mean 'al' (Attack threshold)?  (al: -60…0 dB, default -12 dB)`.
  private func didYouMean(_ slots: [ParameterSlot]) -> String {
    let names = slots.map { slot in
      let label = spec?.ports.isEmpty == false ? slot.spec.summary : ""
      return "'\(prefix)\(slot.path)'" + (label.isEmpty || label == slot.path ? "" : " (\(label))")
    }
    let list =
      names.count == 1
      ? names[0] : names.dropLast().joined(separator: ", ") + " or \(names[names.count - 1])"
    return "did you mean \(list)?" + (slots.count == 1 ? "  (\(slots[0].spec.described))" : "")
  }
}
