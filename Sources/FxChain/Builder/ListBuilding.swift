import FxAudio

/// A unit's list, such as bands or strips.
extension GraphBuilder {
  /// Reads the list written in a node into its draft, before connections add to it.
  func readList(_ draft: NodeBuilder, _ facts: UnitFacts) {
    guard let list = facts.spec.list else { return }
    readEqualizer(draft, facts, list)
    guard
      let extra = draft.document?.extras.first(where: { $0.key.value == list.key }),
      extra.content != .unreadable
    else { return }
    guard case .list(let items, let isNamed) = extra.content,
      isNamed == (list.form == .namedInputs) || items.isEmpty
    else {
      report(
        .wrongType,
        list.form == .ordered
          ? "'\(list.key)' is a list of objects" : "'\(list.key)' is an object of objects by name",
        extra.place,
        hints: [
          list.form == .ordered
            ? "\"\(list.key)\": [ { … }, { … } ]"
            : "\"\(list.key)\": { \"name\": { … } }"
        ])
      return
    }
    if let most = list.maximumCount, draft.items.count + items.count > most {
      report(
        .outOfRange,
        "\(facts.name) has at most \(most) \(list.key), here are \(draft.items.count + items.count)",
        extra.place)
      return
    }
    for item in items {
      if let id = item.id, draft.itemIndex[id.value] != nil {
        // Two equal keys of an object were reported already.
        if list.form == .ordered {
          report(
            .duplicateName, "two of the \(list.key) are called '\(id.value)'", id.place)
        }
        continue
      }
      addItem(item.id?.value, to: draft, list)
      draft.declaredItems.append(item)
    }
    if list.givesOutputs { draft.outputs = facts.spec.outputs(items: draft.items) }
  }

  @discardableResult
  func addItem(_ id: String?, to draft: NodeBuilder, _ list: ListSpec) -> Int {
    let index = draft.items.count
    draft.items.append(ListItem(id: id))
    if let id { draft.itemIndex[id] = index }
    if list.form == .namedInputs {
      draft.inputs.append(InputBusSpec(id ?? "", width: .upToOutput, isOptional: true))
    }
    return index
  }

  /// The bus of a strip. It is created if only a connection names it.
  func stripBus(_ name: String, _ draft: NodeBuilder, _ facts: UnitFacts) -> Int? {
    guard let list = facts.spec.list, list.form == .namedInputs else { return nil }
    let item = draft.itemIndex[name] ?? addItem(name, to: draft, list)
    return facts.spec.inputs.count + item
  }

  /// Sets options and values of the written items.
  func configureItems(_ draft: NodeBuilder, _ facts: UnitFacts) {
    guard let list = facts.spec.list else { return }
    for index in draft.items.indices {
      for option in list.options {
        draft.items[index].options[option.key] = option.defaultValue
      }
    }
    for (index, item) in draft.declaredItems.enumerated() {
      var used: [(slot: Int, entry: NamedValue)] = []
      for entry in item.values {
        let key = entry.name.value
        if let option = list.options.first(where: { $0.key == key }) {
          if let value = self.option(option, entry.value, draft) {
            draft.items[index].options[key] = value
          }
        } else if let parameter = facts.itemParameterIndex[key] {
          let slot = facts.spec.parameters.count + index * list.parameters.count + parameter
          used.append((slot, entry))
        } else {
          report(
            .unknownKey, "a \(list.element) of \(facts.name) has no '\(key)'", entry.name.place,
            hints: Self.hints(for: key, in: list))
        }
      }
      // Whether a value has an effect depends on the options.
      for (slot, entry) in used { setUsedValue(draft, slot, entry) }
      for option in list.options where draft.items[index].options[option.key] == nil {
        guard !item.values.contains(where: { $0.name.value == option.key }) else { continue }
        report(
          .missingKey, "a \(list.element) of \(facts.name) needs '\(option.key)'", item.place,
          hints: ["(\(option.key): \(option.describedRange))"])
      }
    }
  }
  /// The most similar key of an item, or all keys.
  private static func hints(for key: String, in list: ListSpec) -> [String] {
    let known = list.options.map(\.key) + list.parameters.map(\.id)
    guard let near = Suggestion.nearest(to: key, in: known) else {
      return ["it has: \(known.joined(separator: ", "))"]
    }
    let parameter = list.parameters.first { $0.id == near }
    return ["did you mean '\(near)'?" + (parameter.map { "  (\($0.described))" } ?? "")]
  }
}
