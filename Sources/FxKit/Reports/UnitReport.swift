package import FxAudio
import FxChain
import FxUnits

/// The report of `fxrun units NAME` and of the reference page on a unit.
package struct UnitReport {
  package let spec: UnitSpec
  /// Its earlier revisions, latest first.
  let earlier: [UnitSpec]
  /// nil for a unit that is not on the reference page.
  var page: UnitPage? { BuiltInUnits.pages[spec.id] }

  package init(spec: UnitSpec, earlier: [UnitSpec] = []) {
    self.spec = spec
    self.earlier = earlier
  }

  /// One line for the list.
  package var line: String { spec.id.padded(to: 12) + " " + spec.summary }

  package var text: String {
    var lines = ["\(spec.id): \(spec.summary)"]
    if let page { lines.append("use: \(page.usage.replacing("`", with: "'"))") }
    section("parameters", spec.parameters.map(row), &lines)
    section("options", spec.options.map(row), &lines)
    if let list = spec.list {
      let form = list.form == .ordered ? "a list" : "an object by name"
      section(
        "\(list.key) (\(form); each has)",
        list.options.map(row) + list.parameters.map(row), &lines)
    }
    section("presets", spec.presets.map { ($0.name, values(of: $0), $0.summary) }, &lines)
    section("readings", spec.readings.map { ($0.id, $0.measure.rawValue, $0.summary) }, &lines)
    let inputs = spec.inputs.map { $0.isOptional ? "\($0.name) (optional)" : $0.name }
    if !inputs.isEmpty { lines.append("inputs: \(inputs.joined(separator: ", "))") }
    if setsLayout { lines.append("output: the usual layout of its width") }
    if spec.revision > 1 || !earlier.isEmpty {
      let names = earlier.map(\.revisionName).joined(separator: ", ")
      lines.append("revision: \(spec.revision)" + (names.isEmpty ? "" : "; earlier: \(names)"))
    }
    if let measures = spec.measures {
      let live = spec.rendersUnmeasured ? "not measured live" : "not live"
      lines.append("measures first: \(measures) of the whole sound; \(live)")
    }
    if spec.wet != 1 { lines.append("wet: \(shortNumber(spec.wet)) by default") }
    if let source = page?.source { lines.append("source: \(source)") }
    return Text.lines(lines)
  }

  /// True if the output has the usual layout instead of the input's.
  var setsLayout: Bool { spec.outputs.contains { $0.layout == .usual } }

  /// `decay 4.5 s, size 1.4`, in the order of the unit's declaration.
  func values(of preset: UnitPreset) -> String {
    let parameters = spec.parameters.compactMap { parameter in
      preset.parameters[parameter.id].map {
        "\(parameter.id) \(Self.number($0))\(Self.suffix(parameter.measure))"
      }
    }
    let options = spec.options.compactMap { option in
      preset.options[option.key].map { "\(option.key) \(Self.text($0))" }
    }
    return (parameters + options).joined(separator: ", ")
  }

  private typealias Row = (name: String, value: String, summary: String)

  private func section(_ title: String, _ rows: [Row], _ lines: inout [String]) {
    guard !rows.isEmpty else { return }
    lines.append("\(title):")
    let name = rows.map(\.name.count).max() ?? 0
    let value = min(34, rows.map(\.value.count).max() ?? 0)
    for row in rows {
      lines.append(
        "  \(row.name.padded(to: name))  \(row.value.padded(to: value))  \(row.summary)")
    }
  }

  private func row(_ parameter: ParameterSpec) -> Row {
    (parameter.id, "\(Self.range(parameter)), default \(Self.value(parameter))", parameter.summary)
  }

  private func row(_ option: OptionSpec) -> Row {
    (option.key, Self.range(option), option.summary)
  }

  /// `10…22000 Hz`, `true or false`, the choices.
  static func range(_ parameter: ParameterSpec) -> String {
    if parameter.isToggle { return "true or false" }
    if !parameter.choices.isEmpty, parameter.choicesAreExclusive {
      return parameter.choices.map(\.label).joined(separator: ", ")
    }
    if parameter.rateLimit == .follows {
      return
        "\(number(parameter.range.lowerBound))\(suffix(parameter.measure))…\(number(RateLimit.share)) × sample rate"
    }
    let (low, high) = (parameter.range.lowerBound, parameter.range.upperBound)
    if parameter.measure == .gain { return "\(gainDecibels(low))…\(measured(high, .gain))" }
    return "\(number(low))…\(number(high))\(suffix(parameter.measure))"
  }

  static func value(_ parameter: ParameterSpec) -> String {
    if parameter.isToggle { return parameter.defaultValue > 0.5 ? "true" : "false" }
    let choice = parameter.choices.first { $0.value == parameter.defaultValue }
    if let choice { return choice.label }
    return parameter.measure == .gain
      ? measured(parameter.defaultValue, .gain) : number(parameter.defaultValue)
  }

  /// All digits if the value is the text of a 32-bit float, so that it can be typed again;
  /// otherwise four decimals.
  static func number(_ value: Double) -> String {
    guard value.isFinite, Double(Float(value).description) != value else {
      return shortNumber(value)
    }
    return shortNumber((value * 10_000).rounded() / 10_000)
  }

  static func suffix(_ measure: Measure) -> String {
    measure == .none || measure == .ratio ? "" : " \(measure.rawValue)"
  }

  static func range(_ option: OptionSpec) -> String {
    let kind =
      switch option.kind {
      case .choice(let choices): choices.joined(separator: ", ")
      case .number(let measure, let range):
        "\(shortNumber(range.lowerBound))…\(shortNumber(range.upperBound))\(suffix(measure))"
      case .integer(let range): "\(range.lowerBound)…\(range.upperBound)"
      case .numbers(let range): "a list of \(range.lowerBound)…\(range.upperBound)"
      case .flag: "true or false"
      case .text: "text"
      case .sound(.directions): "a SOFA file"
      case .sound: "a sound file"
      case .formula: "a formula"
      case .equalizerFile: "a text file"
      case .neuralModel: "a .nam file"
      case .channels(let words): "\(words.joined(separator: ", ")), FL FR, 3"
      case .texts: "texts by name"
      }
    guard let value = option.defaultValue else { return "\(kind), required" }
    return "\(kind), default \(text(value))"
  }

  static func text(_ value: OptionValue) -> String {
    switch value {
    case .text(let text), .sound(let text), .model(let text): text
    case .number(let number): shortNumber(number)
    case .flag(let flag): flag ? "true" : "false"
    case .texts(let texts): texts.keys.sorted().joined(separator: ", ")
    }
  }
}
