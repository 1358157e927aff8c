package import FxAudio

extension OptionSpec {
  /// Reads a chain's value of a build option.
  package func value(_ raw: RawValue, context: ValueContext) throws(ValueProblem) -> OptionValue {
    switch kind {
    case .choice(let labels):
      if let text = raw.text,
        let label = labels.first(where: { $0 == text })
          ?? labels.first(where: { $0.lowercased() == text.lowercased() })
      {
        return .text(label)
      }
      var hints: [String] = []
      if let text = raw.text { hints = Suggestion.hint(for: text, in: labels) }
      throw ValueProblem(
        .notAChoice, "'\(key)' cannot be \(raw.shown)",
        hints: hints + ["one of: \(labels.joined(separator: ", "))"])
    case .number(let measure, let range):
      return .number(try parameter(measure, range).value(raw, context: context))
    case .integer(let range):
      let bounds = Double(range.lowerBound)...Double(range.upperBound)
      return .number(try parameter(.none, bounds, isInteger: true).value(raw, context: context))
    case .numbers(let range):
      let text =
        if case .number(let number) = raw { "\(Int(exactly: number) ?? 0)" } else {
          try string(raw)
        }
      let words = text.split(separator: " ")
      guard !words.isEmpty, words.allSatisfy({ Int($0).map(range.contains) ?? false }) else {
        throw ValueProblem(
          .invalidValue,
          "'\(key)' is a list of whole numbers from \(range.lowerBound) to "
            + "\(range.upperBound), which \(raw.shown) is not")
      }
      return .text(words.joined(separator: " "))
    case .flag:
      let toggle = ParameterSpec.toggle(key, summary)
      return .flag(try toggle.value(raw, context: context) == 1)
    case .text: return .text(try string(raw))
    case .formula(let variables):
      let text = try string(raw)
      do throws(Failure) {
        _ = try Formula(text, variables: variables)
      } catch {
        throw ValueProblem(.invalidValue, "'\(key)' \(error.message)", part: error.part)
      }
      return .text(text)
    case .sound, .equalizerFile, .neuralModel:
      let path = try string(raw)
      guard !path.isEmpty else { throw ValueProblem(.invalidValue, "'\(key)' names no file") }
      switch kind {
      case .equalizerFile: return .text(path)
      case .neuralModel: return .model(path)
      default: return .sound(path)
      }
    case .channels(let words):
      let text = try string(raw)
      if let word = words.first(where: { $0.lowercased() == text.lowercased() }) {
        return .text(word)
      }
      guard ChannelSelection(text) != nil else {
        throw ValueProblem(
          .notAChoice, "'\(key)' cannot be \(raw.shown)",
          hints: Suggestion.hint(for: text, in: words) + ["it is \(described(words))"])
      }
      return .text(text)
    case .texts:
      throw ValueProblem(.wrongType, "'\(key)' is an object of texts, \(raw.shown) is not")
    }
  }

  /// The value of an option as it stands in the document; nil for an object or another list.
  func raw(_ content: NodeExtra.Content) -> RawValue? {
    switch (content, kind) {
    case (.value(let raw), _): raw
    case (.numbers(let text), .numbers): .text(text)
    default: nil
    }
  }

  /// The message for a value that the option cannot have; nil for one that it can have.
  package func mistake(_ value: OptionValue) -> String? {
    let raw: RawValue
    switch value {
    case .number(let number):
      guard !number.isNaN else { return "'\(key)' is not a number" }
      raw = .number(number)
    case .text(let text): raw = .text(text)
    case .flag(let flag): raw = .flag(flag)
    case .sound, .model, .texts: return nil
    }
    do throws(ValueProblem) {
      _ = try self.value(raw, context: ValueContext())
      return nil
    } catch {
      return error.message
    }
  }

  private func string(_ raw: RawValue) throws(ValueProblem) -> String {
    guard let text = raw.text else {
      throw ValueProblem(.wrongType, "'\(key)' is a string, \(raw.shown) is not")
    }
    return text
  }

  private func parameter(
    _ measure: Measure, _ range: ClosedRange<Double>, isInteger: Bool = false
  ) -> ParameterSpec {
    // Not a number: no default.
    var initial = Double.nan
    if case .number(let number)? = defaultValue { initial = number }
    return ParameterSpec(
      key, summary, measure, range, default: initial, isInteger: isInteger)
  }

  private func described(_ words: [String]) -> String {
    "\(words.joined(separator: ", ")), or channels such as 'FL FR' or '3'"
  }

  /// `1…64`, `hall, room`, `true or false`.
  package var describedRange: String {
    switch kind {
    case .choice(let labels): labels.joined(separator: ", ")
    case .number(let measure, let range): rangeText(range, measure: measure)
    case .integer(let range): "\(range.lowerBound)…\(range.upperBound)"
    case .numbers(let range): "a list of \(range.lowerBound)…\(range.upperBound)"
    case .flag: "true or false"
    case .text: "a string"
    case .formula: "a formula"
    case .equalizerFile: "a text file, relative to the chain's folder"
    case .neuralModel: "a .nam file, relative to the chain's folder"
    case .texts: "an object of texts"
    case .channels(let words): described(words)
    case .sound(.directions): "a SOFA file, relative to the chain's folder"
    case .sound: "a sound file, relative to the chain's folder"
    }
  }
}
