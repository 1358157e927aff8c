import FxAudio
@testable import FxChain

/// Values for every argument of every unit, as Swift and as JSON.
enum UnitExamples {
  /// A value of one argument: its spelling in Swift and in JSON.
  private struct Example {
    let key: String
    let swift: String
    let json: JSONOutput
    var isParameter = false
  }

  /// A Swift file with a function for each unit, and a list of them.
  static func text(_ specs: [UnitSpec]) -> String {
    var text = SwiftText()
    text.line("import Foundation")
    text.line("import FxKit")
    text.line()
    text.line("/// Every unit with a value for each of its arguments.")
    text.line("enum EveryUnit {")
    text.line("static let all: [@Sendable () -> any ChainNode] = [", indent: 2)
    for spec in specs { text.line("{ \(function(spec))() },", indent: 4) }
    text.line("]", indent: 2)
    for spec in specs {
      text.line()
      text.line("private static func \(function(spec))() -> any ChainNode {", indent: 2)
      var arguments = ["id: \"x\""]
      if let preset = spec.presets.first {
        arguments.append("preset: .\(SwiftNames.word(preset.name))")
      }
      arguments += examples(spec).map { "\($0.key): \($0.swift)" }
      if let item = item(spec) { arguments.append("\(item.key): \(item.swift)") }
      text.signature(SwiftNames.type(spec.id), arguments, "", indent: 4)
      text.line("}", indent: 2)
    }
    text.line("}")
    return text.text
  }

  private static func function(_ spec: UnitSpec) -> String { "\(spec.id)Node" }

  /// The node that the Swift function of the unit has to make, as a chain file has it.
  static func json(_ spec: UnitSpec) -> JSONOutput {
    let all = examples(spec)
    var members = [JSONOutput.Member("unit", .string(spec.id))]
    if let preset = spec.presets.first { members.append(.init("preset", .string(preset.name))) }
    let dry = ["wet", "bypass"]
    members += all.filter { !$0.isParameter || dry.contains($0.key) }.map { .init($0.key, $0.json) }
    let parameters = all.filter { $0.isParameter && !dry.contains($0.key) }
    if !parameters.isEmpty {
      members.append(.init("parameters", .object(parameters.map { .init($0.key, $0.json) })))
    }
    if let item = item(spec) { members.append(.init(item.key, item.json)) }
    return .object(members)
  }

  private static func examples(_ spec: UnitSpec) -> [Example] {
    let options = spec.options.map { example($0) }
    let isRequired = spec.options.map { $0.defaultValue == nil }
    var all = zip(options, isRequired).filter(\.1).map(\.0)
    all += spec.parameters.map { example($0) }
    all += zip(options, isRequired).filter { !$0.1 }.map(\.0)
    if UnitSource.hasDrySignal(spec) {
      all.append(
        Example(key: "wet", swift: ".percent(50)", json: .string("50 %"), isParameter: true))
      all.append(Example(key: "bypass", swift: "false", json: .bool(false), isParameter: true))
    }
    return all
  }

  private static func item(_ spec: UnitSpec) -> Example? {
    guard let list = spec.list else { return nil }
    let options = list.options.map { example($0) }
    let isRequired = list.options.map { $0.defaultValue == nil }
    let all =
      zip(options, isRequired).filter(\.1).map(\.0)
      + zip(options, isRequired).filter { !$0.1 }.map(\.0) + list.parameters.map { example($0) }
    let isNamed = list.form == .namedInputs
    let arguments =
      [isNamed ? "\"one\"" : "id: \"one\""] + all.map { "\($0.key): \($0.swift)" }
    let lines = arguments.map { "          \($0)" }.joined(separator: ",\n")
    let members = all.map { JSONOutput.Member($0.key, $0.json) }
    return Example(
      key: list.key, swift: "[\n        .init(\n\(lines)\n        )\n      ]",
      json: isNamed
        ? .object([.init("one", .object(members))])
        : .array([.object([.init("id", .string("one"))] + members)]))
  }

  private static func example(_ parameter: ParameterSpec) -> Example {
    if parameter.isToggle {
      let flag = parameter.defaultValue == 0
      return Example(key: parameter.id, swift: "\(flag)", json: .bool(flag), isParameter: true)
    }
    let number = number(parameter.range, isWhole: parameter.isInteger)
    return Example(
      key: parameter.id, swift: shortNumber(number), json: .number(number), isParameter: true)
  }

  private static func example(_ option: OptionSpec) -> Example {
    func made(_ swift: String, _ json: JSONOutput) -> Example {
      Example(key: option.key, swift: swift, json: json)
    }
    switch option.kind {
    case .choice(let words):
      let word = words.last ?? ""
      let name =
        SwiftNames.quantity(option) == "LayoutName" ? "surround714" : SwiftNames.word(word)
      return made(".\(name)", .string(word))
    case .number(_, let range):
      let number = number(range, isWhole: false)
      return made(shortNumber(number), .number(number))
    case .integer(let range):
      let number = min(range.upperBound, range.lowerBound + 1)
      return made(String(number), .integer(number))
    case .numbers: return made("[1, 2]", .array([.integer(1), .integer(2)]))
    case .flag: return made("true", .bool(true))
    case .texts: return made("[\"a\": \"b\"]", .object([.init("a", .string("b"))]))
    case .text, .sound, .formula, .equalizerFile, .neuralModel, .channels:
      return made("\"text\"", .string("text"))
    }
  }

  /// A number in a range, which is not at its ends.
  private static func number(_ range: ClosedRange<Double>, isWhole: Bool) -> Double {
    let low = max(range.lowerBound, -60)
    let high = min(range.upperBound, 1000)
    let middle = (low + high) / 2
    return isWhole ? middle.rounded() : (middle * 1000).rounded() / 1000
  }
}
