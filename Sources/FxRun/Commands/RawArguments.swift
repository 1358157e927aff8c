import ArgumentParser
import CRealtime
import FxAudio

/// The raw arguments before a command reads them, and how messages should be printed.
enum RawArguments {
  /// The arguments, without the program's name. `CommandLine` reads them in /proc, which may be
  /// missing.
  static let given: [String] = (1..<max(1, fx_argument_count())).map { index in
    fx_argument(index).map { String(cString: $0) } ?? ""
  }

  /// All arguments. Paths that mean standard output get one name: while plugins run, its descriptor
  /// leads elsewhere, and so would such paths.
  static let all: [String] = {
    var arguments = given
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

  /// Throws if an option or its value is not UTF-8: an output file would get a different name. For
  /// an input file, opening it reports the mistake.
  static func check() throws {
    for (index, argument) in given.enumerated() {
      guard let bytes = fx_argument(Int32(index + 1)), String(validatingCString: bytes) == nil
      else { continue }
      let before = index > 0 ? given[index - 1] : ""
      if argument.hasPrefix("-") || before.hasPrefix("-") {
        throw ValidationError("'\(argument)' is not UTF-8; choose a name that is")
      }
    }
  }

  /// True when failures should be printed as JSON.
  static let asksForJSON = words.contains("--json")

  /// If audio uses standard output, words go to standard error.
  static let wordStream: Output.Stream = {
    let isAudio =
      words.contains { $0.hasSuffix("=-") || $0 == "-o-" }
      || zip(words, words.dropFirst()).contains { $0 == "-o" && $1 == "-" }
    return isAudio ? .error : .output
  }()

  /// Makes control characters visible in the arguments that the parser's messages quote.
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
