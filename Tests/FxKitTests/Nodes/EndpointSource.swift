import FxAudio
@testable import FxChain

/// Functions that make sources and sinks.
enum EndpointSource {
  private static let names = [
    "stdin": "standardInput", "stdout": "standardOutput", "alsa": "device", "null": "silent",
  ]

  static func fileName(_ spec: EndpointSpec, of type: String) -> String {
    "\(type)+\(SwiftNames.type(function(spec, of: type))).swift"
  }

  private static func function(_ spec: EndpointSpec, of type: String) -> String {
    spec.key == "null" && type == "Sink" ? "discarded" : names[spec.key] ?? spec.key
  }

  /// Options that are the same in several kinds have their choices in one place.
  private static func choice(_ option: OptionSpec) -> [String]? {
    guard case .choice(let words) = option.kind, option.key != "layout" else { return nil }
    return words
  }

  static func text(_ spec: EndpointSpec, of type: String, more: [KeySpec]) -> String {
    var text = SwiftText()
    var arguments = spec.options.map { option in
      var argument = SwiftArgument.endpoint(option)
      if choice(option) != nil { argument = argument.typed("\(type).\(argument.type)") }
      return argument
    }
    if spec.isRegion { arguments += ChainFormat.pieceKeys.map { SwiftArgument($0) } }
    let known = Set(arguments.map(\.key))
    arguments += more.filter { !known.contains($0.key) }.map { SwiftArgument($0) }
    let target = target(spec, of: type)
    text.line()
    text.line("extension \(type) {")
    text.comment(spec.summary, indent: 2)
    text.line("///", indent: 2)
    let id = SwiftArgument("id", "String", "The id of the node; nil for an automatic one.")
    text.comment(
      (target.map { [$0.argument] } ?? []) + [id] + arguments + SwiftArgument.site, indent: 2)
    text.signature(
      "public static func \(function(spec, of: type))",
      (target.map { [$0.declaration] } ?? []) + [id.declaration] + arguments.map(\.declaration)
        + SwiftArgument.siteDeclarations, " -> \(type) {", indent: 2)
    text.line(
      "var made = \(type)(\"\(spec.key)\", \(target?.value ?? "true"), id, fileID, line)", indent: 4
    )
    for argument in arguments {
      text.line("made.set(\"\(argument.key)\", \(argument.name))", indent: 4)
    }
    text.line("return made", indent: 4)
    text.line("}", indent: 2)
    text.line("}")
    return text.text
  }

  /// The argument for the value of the kind's own key.
  private static func target(
    _ spec: EndpointSpec, of type: String
  ) -> (argument: SwiftArgument, declaration: String, value: String)? {
    func named(_ name: String, _ type: String, _ summary: String, _ initial: String? = nil)
      -> (argument: SwiftArgument, declaration: String, value: String)
    {
      (
        SwiftArgument(name, type, summary),
        "_ \(name): \(type)" + (initial.map { " = \($0)" } ?? ""), "\(name).chainValue"
      )
    }
    return switch spec.target {
    case .name: named("name", "String", "The name; `main` is the usual one.", "\"main\"")
    case .path: named("path", "String", "The path of the file.")
    case .address: named("address", "String", "The address.")
    case .text(let usual): named("name", "String", "The name of the device.", "\"\(usual)\"")
    case .choice: named("kind", "\(type).SignalKind", "The kind of signal.")
    case .regions: named("regions", "[Region]", "The pieces of files.")
    case .presence: nil
    }
  }

  /// The choices of all options of these kinds.
  static func choices(_ specs: [EndpointSpec], of type: String) -> String {
    var text = SwiftText()
    text.line()
    text.line("extension \(type) {")
    var known: Set<String> = []
    for spec in specs {
      if case .choice(let words) = spec.target {
        text.comment("The kind of a test signal.", indent: 2)
        text.choice("SignalKind", words, indent: 2)
        known.insert("SignalKind")
      }
      for option in spec.options {
        guard let words = choice(option), known.insert(option.key).inserted else { continue }
        if known.count > 1 { text.line() }
        text.comment(option.summary, indent: 2)
        text.choice(SwiftNames.type(option.key), words, indent: 2)
      }
    }
    text.line("}")
    return text.text
  }

  /// The initializer of a region.
  static func region() -> String {
    var text = SwiftText()
    let arguments = ChainFormat.region.keys.filter { $0.key != "file" && $0.key != "comment" }
      .map { SwiftArgument($0) }
    let file = SwiftArgument("file", "String", "An audio file, relative to the chain's folder.")
    text.line()
    text.line("extension Region {")
    text.comment(ChainFormat.region.summary, indent: 2)
    text.line("///", indent: 2)
    text.comment([file] + arguments, indent: 2)
    text.signature(
      "public init", ["_ file: String"] + arguments.map(\.declaration), " {", indent: 2)
    text.line("chainValue = [\"file\": .string(file)]", indent: 4)
    for argument in arguments {
      text.line("set(\"\(argument.key)\", \(argument.name))", indent: 4)
    }
    text.line("}", indent: 2)
    text.line("}")
    return text.text
  }
}

extension SwiftArgument {
  /// The same argument with another type.
  fileprivate func typed(_ type: String) -> SwiftArgument {
    var argument = SwiftArgument(key, type, summary)
    argument.isRequired = isRequired
    return argument
  }
}
