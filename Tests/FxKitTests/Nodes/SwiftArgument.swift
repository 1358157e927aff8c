import FxAudio
@testable import FxChain

/// An argument of a generated initializer: its name, its type and its sentence.
struct SwiftArgument {
  let key: String
  let type: String
  let summary: String
  var isRequired = false
  /// True for a parameter, false for an option.
  var isParameter = false

  var name: String { SwiftNames.argument(key) }

  init(_ parameter: ParameterSpec) {
    key = parameter.id
    type = SwiftNames.quantity(parameter)
    isParameter = true
    let initial =
      parameter.isToggle
      ? (parameter.defaultValue == 1 ? "true" : "false") : Self.rounded(parameter.defaultValue)
    let range = parameter.isToggle ? "" : "\(parameter.describedRange); "
    summary = "\(parameter.summary) (\(range)default \(initial))"
  }

  init(_ option: OptionSpec) {
    key = option.key
    type = SwiftNames.quantity(option)
    isRequired = option.defaultValue == nil
    var notes: [String] = []
    switch option.kind {
    case .number, .integer, .numbers: notes.append(option.describedRange)
    case .sound, .equalizerFile, .neuralModel: notes.append(option.describedRange)
    default: break
    }
    switch option.defaultValue {
    case .text(let text)? where !text.isEmpty: notes.append("default \(text)")
    case .number(let number)?: notes.append("default \(Self.rounded(number))")
    case .flag(let flag)?: notes.append("default \(flag)")
    default: break
    }
    let note = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
    summary = option.summary + note
  }

  /// With four digits behind the point, for reading.
  private static func rounded(_ number: Double) -> String {
    let factor = abs(number) < 0.01 ? 1e6 : 1e4
    return shortNumber(number.isFinite ? (number * factor).rounded() / factor : number)
  }

  init(_ key: KeySpec) {
    self.key = key.key
    type = SwiftNames.quantity(key)
    summary = key.summary
  }

  init(_ key: String, _ type: String, _ summary: String) {
    self.key = key
    self.type = type
    self.summary = summary
  }

  /// An option of a source or a sink, which is never required.
  static func endpoint(_ option: OptionSpec) -> SwiftArgument {
    var argument = SwiftArgument(option)
    argument.isRequired = false
    return argument
  }

  /// The place of the call, which messages name.
  static let site = [
    SwiftArgument("fileID", "String", "The file of the call, for messages."),
    SwiftArgument("line", "Int", "The line of the call, for messages."),
  ]
  static let siteDeclarations = ["fileID: String = #fileID", "line: Int = #line"]

  /// `decay: Time? = nil`.
  var declaration: String { isRequired ? "\(name): \(type)" : "\(name): \(type)? = nil" }
}

/// The text of a Swift file, as `swift format` leaves it.
struct SwiftText {
  private(set) var text = """
    // Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

    """

  private static let width = 100

  mutating func line(_ line: String = "", indent: Int = 0) {
    text += (line.isEmpty ? "" : String(repeating: " ", count: indent) + line) + "\n"
  }

  /// A comment of documentation, divided into lines.
  mutating func comment(_ sentence: String, indent: Int, first: String = "", rest: String = "") {
    let begin = String(repeating: " ", count: indent) + "/// "
    var line = begin + first
    var isEmpty = true
    for word in sentence.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > Self.width {
        text += line + "\n"
        line = begin + rest
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    text += line + "\n"
  }

  /// The list of arguments in a comment.
  mutating func comment(_ arguments: [SwiftArgument], indent: Int) {
    comment("- Parameters:", indent: indent)
    for argument in arguments {
      comment(argument.summary, indent: indent, first: "  - \(argument.key): ", rest: "    ")
    }
  }

  /// A function's arguments, one on each line.
  mutating func signature(_ begin: String, _ declarations: [String], _ end: String, indent: Int) {
    line(begin + "(", indent: indent)
    for (index, declaration) in declarations.enumerated() {
      line(
        declaration + (index == declarations.count - 1 ? "" : ","), indent: indent + 2)
    }
    line(")" + end, indent: indent)
  }

  /// The words of a choice, each as it is written in a chain.
  mutating func choice(_ name: String, _ words: [String], _ summaries: [String]? = nil, indent: Int)
  {
    line("public enum \(name): String, ParameterChoice {", indent: indent)
    for (index, word) in words.enumerated() {
      if let summaries { comment(summaries[index], indent: indent + 2) }
      let plain = SwiftNames.word(word)
      let isPlain = plain.filter { $0 != "`" } == word
      line("case \(plain)" + (isPlain ? "" : " = \"\(word)\""), indent: indent + 2)
    }
    line("}", indent: indent)
  }
}
