import FxAudio

/// What the command line says about how to speak, for when it is not understood or not yet read.
enum RawArguments {
  private static let words = CommandLine.arguments.dropFirst().prefix { $0 != "--" }

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
