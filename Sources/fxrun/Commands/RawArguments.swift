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
}
