import FxAudio

/// Variables in the strings of a chain file.
extension ChainReader {
  /// The total bytes that variables may add to a chain.
  static let fillLimit = 1 << 24

  /// A text with `${name}` filled in; `$${` is a literal `${`.
  mutating func substituted(_ text: String, at place: Place) -> String? {
    var isComplete = true
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[dollar...]
      if rest.hasPrefix("$${") {
        result += "${"
        rest = rest.dropFirst(3)
      } else if rest.hasPrefix("${"), let end = rest.firstIndex(of: "}") {
        let name = String(rest[rest.index(rest.startIndex, offsetBy: 2)..<end])
        if let variable = variables[name] {
          guard let value = filling(variable, name, place) else { return nil }
          result += value
          isComplete = isComplete && variable.value != nil
        } else {
          isComplete = false
          let lower = text.utf8.distance(from: text.startIndex, to: rest.startIndex)
          let upper = text.utf8.distance(from: text.startIndex, to: end) + 1
          reportUnknown(name, place.part(lower..<upper, of: text))
        }
        rest = rest[rest.index(after: end)...]
      } else {
        result.append("$")
        rest = rest.dropFirst()
      }
    }
    return isComplete ? result + rest : nil
  }

  /// The value of a variable, empty if it has none; nil when variables have added too much.
  private mutating func filling(
    _ variable: Variable, _ name: String, _ place: Place
  ) -> String? {
    let value = variable.value ?? ""
    let wasWithin = filledByteCount <= Self.fillLimit
    filledByteCount += value.utf8.count
    guard filledByteCount > Self.fillLimit else { return value }
    if wasWithin {
      report(
        .tooLarge,
        "with '${\(ForeignText.shortened(name))}' the chain's variables add more than 16 MiB",
        place, hints: ["shorten the value of the variable, or use it less often"])
    }
    return nil
  }

  private mutating func reportUnknown(_ name: String, _ place: Place) {
    var hints: [String] = []
    // The search for similar names takes time: skip it when the list of messages is full.
    if !diagnostics.isFull {
      hints =
        variables.isEmpty
        ? ["declare it: \"variables\": { \"\(ForeignText.shortened(name))\": … }"]
        : Suggestion.hint(for: name, in: variables.keys.sorted())
    }
    report(
      .unknownVariable, "the chain declares no variable '\(ForeignText.shortened(name))'", place,
      hints: hints)
  }
}
