import ArgumentParser
import FxAudio

/// The arguments before a command reads them, and what they say about how to speak.
enum RawArguments {
  /// All of them. Standard output has one name: while plugins are at work its number leads elsewhere, and
  /// so would the paths that stand for the number.
  static let all: [String] = {
    var arguments = Array(CommandLine.arguments.dropFirst())
    for (index, argument) in arguments.enumerated() {
      let isOutput = index > 0 && arguments[index - 1] == "-o" || argument.hasPrefix("-o")
      for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
      where isOutput && ([path, "-o\(path)"].contains(argument) || argument.hasSuffix("=\(path)")) {
        arguments[index] = argument.dropLast(path.count) + "-"
      }
    }
    return arguments
  }()

  private static let words = all.prefix { $0 != "--" }

  /// Throws where an option or its value is not UTF-8: what is written under that name would have another
  /// one. A file that is read is refused where it is opened.
  static func check() throws {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil
      else { continue }
      let (argument, before) = (CommandLine.arguments[index], CommandLine.arguments[index - 1])
      if argument.hasPrefix("-") || index > 1 && before.hasPrefix("-") {
        throw ValidationError("'\(argument)' is not UTF-8; choose a name that is")
      }
    }
  }

  /// True when failures are to be JSON.
  static let asksForJSON = words.contains("--json")

  /// Audio on standard output leaves standard error for words.
  static let wordStream: Output.Stream = {
    let isAudio =
      words.contains { $0.hasSuffix("=-") || $0 == "-o-" }
      || zip(words, words.dropFirst()).contains { $0 == "-o" && $1 == "-" }
    return isAudio ? .error : .output
  }()

  /// What the parser says, with what is hidden in the arguments that it quotes written out.
  static func visible(in text: String) -> String {
    var text = text
    for argument in words {
      let value = argument.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
      for part in [argument, value] where ForeignText.visible(part) != part {
        text = text.replacing(part, with: ForeignText.visible(part))
      }
    }
    return text
  }
}
