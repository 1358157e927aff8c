extension UnitSpec {
  /// Why no chain could use a unit with this declaration, a sentence each; empty for a sound declaration.
  public var mistakes: [String] {
    var found: [String] = []
    for (what, ids) in [
      ("unit", [id]), ("reading", readings.map(\.id)),
      ("parameter or option", parameters.map(\.id) + options.map(\.key)),
      (
        "parameter or option of an item",
        (list?.parameters ?? []).map(\.id) + (list?.options ?? []).map(\.key)
      ),
      ("input", inputs.map(\.name)), ("output", outputs.map(\.name)),
    ] {
      found += ids.filter { !Self.isName($0) }.map {
        "'\($0)' cannot name a \(what): a name has letters and digits only and begins with a small letter"
      }
      let twice = Dictionary(grouping: ids, by: { $0 }).filter { $0.value.count > 1 }.keys.sorted()
      found += twice.map { "two have the name '\($0)': a \(what)" }
    }
    for parameter in parameters + (list?.parameters ?? []) { found += parameter.mistakes }
    for option in options + (list?.options ?? []) { found += option.mistakes }
    for preset in presets { found += mistakes(of: preset) }
    if inputs.isEmpty, outputs.contains(where: { $0.width == .sameAsInput }) {
      found.append("an output has as many channels as an input, and the unit has no input")
    }
    for (what, width) in wrongWidths {
      found.append("\(what) has 1 to \(maximumBusWidth) channels, not \(width)")
    }
    if revision < 1 { found.append("a revision is at least 1, not \(revision)") }
    if !(0...1).contains(wet) { found.append("wet is between 0 and 1, not \(wet)") }
    return found
  }

  /// Inputs and outputs with a number of channels that no signal has.
  private var wrongWidths: [(String, Int)] {
    var found: [(String, Int)] = []
    for input in inputs {
      if case .exactly(let count) = input.width {
        found.append(("the input '\(input.name)'", count))
      }
    }
    for output in outputs {
      if case .exactly(let count) = output.width {
        found.append(("the output '\(output.name)'", count))
      }
    }
    return found.filter { !(1...maximumBusWidth).contains($0.1) }
  }

  /// The same declaration with numbers of channels that a graph can have, for a unit that is refused.
  var withPossibleWidths: UnitSpec {
    var spec = self
    for index in spec.inputs.indices {
      if case .exactly = spec.inputs[index].width { spec.inputs[index].width = .exactly(1) }
    }
    for index in spec.outputs.indices {
      if case .exactly = spec.outputs[index].width { spec.outputs[index].width = .exactly(1) }
    }
    return spec
  }

  private static func isName(_ text: String) -> Bool {
    text.first?.isLowercase == true && text.allSatisfy { $0.isLetter || $0.isNumber }
  }

  private func mistakes(of preset: UnitPreset) -> [String] {
    var found = preset.name.isEmpty ? ["a preset has no name"] : []
    for (id, value) in preset.parameters.sorted(by: { $0.key < $1.key }) {
      guard let parameter = parameters.first(where: { $0.id == id }) else {
        found.append("the preset '\(preset.name)' sets '\(id)', which is no parameter")
        continue
      }
      if !parameter.range.contains(value) {
        found.append("the preset '\(preset.name)' sets '\(id)' to \(value), outside its range")
      }
    }
    for (key, value) in preset.options.sorted(by: { $0.key < $1.key }) {
      guard let option = options.first(where: { $0.key == key }) else {
        found.append("the preset '\(preset.name)' sets '\(key)', which is no option")
        continue
      }
      if !option.kind.allows(value) {
        found.append("the preset '\(preset.name)' sets '\(key)' to a value that it cannot have")
      }
    }
    return found
  }
}

extension ParameterSpec {
  fileprivate var mistakes: [String] {
    range.contains(defaultValue)
      ? [] : ["the default of '\(id)', \(defaultValue), is outside its range"]
  }
}

extension OptionSpec {
  fileprivate var mistakes: [String] {
    // An empty text is no value: an option that nobody has to give.
    guard let defaultValue, defaultValue != .text(""), !kind.allows(defaultValue) else {
      return []
    }
    return ["the default of the option '\(key)' is a value that it cannot have"]
  }
}

extension OptionSpec.Kind {
  /// True for a value of this kind and in its range.
  package func allows(_ value: OptionValue) -> Bool {
    switch (self, value) {
    case (.number(_, let range), .number(let number)): range.contains(number)
    case (.integer(let range), .number(let number)):
      Int(exactly: number).map(range.contains) ?? false
    case (.numbers(let range), .text):
      !value.wholeNumbers.isEmpty && value.wholeNumbers.allSatisfy(range.contains)
    case (.choice(let labels), .text(let label)): labels.contains(label)
    case (.flag, .flag), (.text, .text), (.formula, .text), (.equalizerFile, .text),
      (.channels, .text), (.sound, .sound), (.neuralModel, .model), (.texts, .texts):
      true
    default: false
    }
  }
}
