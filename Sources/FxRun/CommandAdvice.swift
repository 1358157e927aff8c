import ArgumentParser
import FxAudio
import FxChain
import FxKit
import Glibc

/// What the user of a wrong command line probably meant.
enum CommandAdvice {
  /// Words for commands in other programs.
  private static let synonyms = [
    "render": "run", "play": "run", "process": "run", "convert": "run", "apply": "run",
    "measure": "stats", "analyze": "stats", "analyse": "stats", "loudness": "stats",
    "compare": "diff", "validate": "check", "verify": "check", "draw": "plot", "graph": "plan",
    "effects": "units", "benchmark": "profile", "show": "info", "probe": "info", "jobs": "batch",
    "version": "--version", "list": "units",
  ]

  /// The reason why a command line without a command's name cannot be read, and what to write.
  ///
  /// - Parameters:
  ///   - words: the words behind `fxrun`.
  ///   - message: the parser's message.
  static func message(_ message: String, for words: [String]) -> String? {
    guard let first = words.first else { return nil }
    if !first.hasPrefix("-"), let advice = unknownCommand(words) { return advice }
    guard let tree = CommandTree.read(RunCommand.self) else { return nil }
    if let option = unknownOption(words, tree) { return option }
    let places = Given(words, of: tree).places
    guard places.count > 2, message.contains("nexpected argument") else { return nil }
    return "\(message)\n\(tooMany(places, words))"
  }

  /// `there is no command 'chek'`, if the first word looks like a command and names no chain.
  static func unknownCommand(_ words: [String]) -> String? {
    guard let first = words.first, first != "none", !first.contains("."), !first.contains("/"),
      access(first, F_OK) != 0
    else { return nil }
    let known = RootCommand.commandNames + synonyms.keys.sorted()
    let near = synonyms[first.lowercased()] ?? Suggestion.nearest(to: first, in: known)
    let meant = near.map { synonyms[$0] ?? $0 }
    return meant.map { meant in
      "there is no command '\(first)'; did you mean: "
        + line([meant] + (meant == "--version" ? [] : words.dropFirst()))
    }
  }

  /// The first option that the command does not have.
  private static func unknownOption(_ words: [String], _ tree: CommandTree) -> String? {
    var takesValue = false
    for word in words.prefix(while: { $0 != "--" }) {
      guard !takesValue, word.hasPrefix("-"), word != "-" else {
        takesValue = false
        continue
      }
      let name = Given.split(word).name
      if let option = tree.option(name) {
        takesValue = option.takesValue && name == word
        continue
      }
      // Short options may be joined with others, or with a value.
      if !word.hasPrefix("--"), word.count > 2, tree.option(String(word.prefix(2))) != nil {
        continue
      }
      let known = tree.arguments.flatMap(\.names) + ["--version"]
      let plain = name.lowercased().drop { $0 == "-" }
      let meant =
        plain == "v"
        ? "--version" : Suggestion.nearest(to: "--\(plain)", in: known.filter { $0.count > 2 })
      return "Unknown option '\(name)'"
        + (meant.map { "; did you mean '\($0)'?" } ?? "; 'fxrun run --help' lists the options")
    }
    return nil
  }

  /// Advice for more than one input.
  private static func tooMany(_ places: [String], _ words: [String]) -> String {
    let hasOutput = words.contains { $0.hasPrefix("-o") }
    if places.count == 3, !hasOutput {
      return "fxrun writes the file behind -o: "
        + line(Array(places.prefix(2)) + ["-o", places[2]] + words.filter { !places.contains($0) })
    }
    return """
      A chain has one main input. To render each file: \
      \(line(["batch"] + places + ["-o", "'rendered/{name}.wav'"]))
      To play the files one after the other, give a playlist (.m3u) as the input, or list them as regions of a \"player\" in \
      the chain.
      """
  }

  /// What goes wrong where a sound or an address stands in place of the chain; nil elsewhere.
  static func soundAsChain(_ path: String) -> String? {
    if EndpointSpec.isAddress(path) {
      return "'\(path)' is the address of a sound, not a chain; the chain comes first: "
        + line(["none", path])
    }
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard access(path, F_OK) != 0, BatchSearch.endings.contains(ending) else { return nil }
    return "there is no file '\(path)', and the name is a sound's; the chain comes first: "
      + line(["none", path])
  }

  private static func line(_ words: [String]) -> String {
    ForeignText.visible((["fxrun"] + words).joined(separator: " "))
  }
}
