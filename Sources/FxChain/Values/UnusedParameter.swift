import FxAudio

extension ParameterSlot {
  /// The problem if the parameter has no effect with these options of its unit; nil if it has one.
  func unusedProblem(options: [String: OptionValue], items: [ListItem]) -> ValueProblem? {
    guard let requirement = unmetRequirement(options: options, items: items) else { return nil }
    let given = item.map { items.indices.contains($0) ? items[$0].options : [:] } ?? options
    let now = given[requirement.option].map(\.spelling) ?? "null"
    let wanted = requirement.values.map(\.spelling).joined(separator: " or ")
    return ValueProblem(
      .unusedParameter, "'\(path)' has no effect with \"\(requirement.option)\": \(now)",
      hints: ["leave it out, or write \"\(requirement.option)\": \(wanted)"])
  }
}

extension OptionValue {
  /// The spelling in a chain file.
  fileprivate var spelling: String {
    switch self {
    case .text(let text), .sound(let text), .model(let text): "\"\(text)\""
    case .number(let number): shortNumber(number)
    case .flag(let flag): flag ? "true" : "false"
    case .texts: "{ … }"
    }
  }
}
