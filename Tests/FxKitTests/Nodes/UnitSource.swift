import FxAudio
@testable import FxChain

/// The Swift type of a built-in unit.
enum UnitSource {
  static func fileName(_ spec: UnitSpec) -> String { "\(SwiftNames.type(spec.id)).swift" }

  static func text(_ spec: UnitSpec) -> String {
    var text = SwiftText()
    let type = SwiftNames.type(spec.id)
    text.line()
    text.comment(spec.summary, indent: 0)
    text.line("public struct \(type): ChainNode {")
    text.line("public var node: Node", indent: 2)
    text.line()
    text.line("public init(node: Node) { self.node = node }", indent: 2)
    text.line()
    addInitializer(spec, &text)
    for parameter in parameters(spec) {
      text.line()
      text.comment(parameter.summary, indent: 2)
      text.line(
        "public var \(parameter.name): ParameterReference<\(parameter.type)> { "
          + "reference(\"\(parameter.key)\") }", indent: 2)
    }
    for port in ports(spec) {
      text.line()
      text.comment("The port \(port) of the unit.", indent: 2)
      text.line("public var \(port): GraphPort { port(\"\(port)\") }", indent: 2)
    }
    if let list = spec.list {
      let item = SwiftNames.type(list.element)
      text.line()
      text.comment("The \(list.key), by name or by number from 1.", indent: 2)
      text.line("public var \(list.key): NodeItems<\(item)> { items(\"\(list.key)\") }", indent: 2)
    }
    addChoices(spec, &text)
    text.line("}")
    if let list = spec.list { addItem(list, of: type, &text) }
    return text.text
  }

  /// True for a unit with `wet` and `bypass`.
  static func hasDrySignal(_ spec: UnitSpec) -> Bool {
    !spec.inputs.isEmpty && spec.list?.form != .namedInputs && spec.list?.givesOutputs != true
      && spec.outputs.first?.isControl == false
  }

  private static let dry = [
    SwiftArgument("wet", "Ratio", "The share of the processed signal."),
    SwiftArgument("bypass", "Bool", "Passes the input on."),
  ]

  /// The parameters of the unit, with those that every unit has.
  static func parameters(_ spec: UnitSpec) -> [SwiftArgument] {
    var parameters = spec.parameters.map { SwiftArgument($0) }
    if hasDrySignal(spec) {
      parameters += dry.map {
        var argument = $0
        argument.isParameter = true
        return argument
      }
    }
    return parameters
  }

  /// The ports beside the main ones.
  private static func ports(_ spec: UnitSpec) -> [String] {
    let names = spec.inputs.map(\.name) + spec.outputs.map(\.name)
    let taken = Set(spec.parameters.map(\.id))
    return names.filter { $0 != "in" && $0 != "out" && !taken.contains($0) }
  }

  private static func addInitializer(_ spec: UnitSpec, _ text: inout SwiftText) {
    let options = spec.options.map { SwiftArgument($0) }
    var arguments = [SwiftArgument("id", "String", "The id of the node; nil for the unit's name.")]
    if !spec.presets.isEmpty {
      arguments.append(
        SwiftArgument("preset", "Preset", "Values that the other arguments override."))
    }
    let required = options.filter(\.isRequired)
    let settings =
      required + spec.parameters.map { SwiftArgument($0) } + options.filter { !$0.isRequired }
    arguments += settings
    if hasDrySignal(spec) { arguments += dry }
    var declarations = arguments.map(\.declaration)
    if let list = spec.list {
      arguments.append(
        SwiftArgument(list.key, "", "The \(list.key), in their order."))
      declarations.append("\(list.key): [\(SwiftNames.type(list.element))] = []")
    }
    text.comment(arguments + SwiftArgument.site, indent: 2)
    text.signature("public init", declarations + SwiftArgument.siteDeclarations, " {", indent: 2)
    text.line("node = Node(\"\(spec.id)\", id, fileID, line)", indent: 4)
    if !spec.presets.isEmpty { text.line("node.setOption(\"preset\", preset)", indent: 4) }
    for argument in settings {
      let function = argument.isParameter ? "set" : "setOption"
      text.line("node.\(function)(\"\(argument.key)\", \(argument.name))", indent: 4)
    }
    if hasDrySignal(spec) {
      for argument in dry { text.line("node.set(\"\(argument.key)\", \(argument.key))", indent: 4) }
    }
    if let list = spec.list {
      text.line(
        "node.add(\(list.key), to: \"\(list.key)\", isNamed: \(list.form == .namedInputs))",
        indent: 4)
    }
    text.line("}", indent: 2)
  }

  private static func addChoices(_ spec: UnitSpec, _ text: inout SwiftText) {
    for option in spec.options {
      guard case .choice(let words) = option.kind,
        SwiftNames.quantity(option) == SwiftNames.type(option.key)
      else { continue }
      text.line()
      text.comment(option.summary, indent: 2)
      text.choice(SwiftNames.type(option.key), words, indent: 2)
    }
    guard !spec.presets.isEmpty else { return }
    text.line()
    text.line("/// Presets of the unit.", indent: 2)
    text.choice("Preset", spec.presets.map(\.name), spec.presets.map(\.summary), indent: 2)
  }

  private static func addItem(_ list: ListSpec, of type: String, _ text: inout SwiftText) {
    let item = SwiftNames.type(list.element)
    let isNamed = list.form == .namedInputs
    let options = list.options.map { SwiftArgument($0) }
    let parameters = list.parameters.map { SwiftArgument($0) }
    let settings = options.filter(\.isRequired) + options.filter { !$0.isRequired } + parameters
    let idSummary =
      isNamed ? "The node that feeds the \(list.element)." : "The name of the \(list.element)."
    let arguments = [SwiftArgument("id", "String", idSummary)] + settings
    text.line()
    text.line("extension \(type) {")
    text.line("/// One of the \(list.key).", indent: 2)
    text.line("public struct \(item): NodeItem {", indent: 2)
    text.line("public var fields: NodeItemFields", indent: 4)
    text.line()
    text.line("public init(fields: NodeItemFields) { self.fields = fields }", indent: 4)
    text.line()
    text.comment(arguments, indent: 4)
    let id = isNamed ? "_ id: String" : "id: String? = nil"
    text.signature("public init", [id] + settings.map(\.declaration), " {", indent: 4)
    text.line("fields = NodeItemFields(id: id)", indent: 6)
    for argument in settings {
      text.line("fields.set(\"\(argument.key)\", \(argument.name))", indent: 6)
    }
    text.line("}", indent: 4)
    for parameter in parameters {
      text.line()
      text.comment(parameter.summary, indent: 4)
      text.line(
        "public var \(parameter.name): ParameterReference<\(parameter.type)> { "
          + "fields.reference(\"\(parameter.key)\") }", indent: 4)
    }
    for option in list.options {
      guard case .choice(let words) = option.kind else { continue }
      text.line()
      text.comment(option.summary, indent: 4)
      text.choice(SwiftNames.type(option.key), words, indent: 4)
    }
    text.line("}", indent: 2)
    text.line("}")
    guard isNamed else { return }
    text.line()
    text.line("extension GraphNode where Value == \(type) {")
    text.comment("The input of a \(list.element), whose values a connection to it sets.", indent: 2)
    text.line("///", indent: 2)
    text.comment(arguments, indent: 2)
    text.signature(
      "public func \(list.element)", ["_ id: String"] + settings.map(\.declaration),
      " -> GraphPort {",
      indent: 2)
    let values = settings.map { "\($0.key): \($0.name)" }
    let made = "\(type).\(item)(\((["id"] + values).joined(separator: ", ")))"
    text.signature("port", ["\"\(list.key)\"", made], "", indent: 4)
    text.line("}", indent: 2)
    text.line("}")
  }
}
