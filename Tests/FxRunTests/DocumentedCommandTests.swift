import ArgumentParser
import Foundation
import FxKit
import FxTestSupport
import Testing

@testable import FxRun

/// Every command that a document or a chain's comment shows, in a code block or in a sentence.
@Suite struct DocumentedCommandTests {
  @Test func `the command line reads every command in the documents`() throws {
    let commands = try DocumentedCommand.all()
    var wrong = 0
    for command in commands {
      guard let mistake = command.mistake else { continue }
      wrong += 1
      Issue.record("\(command.path): \(command.text): \(mistake)")
    }
    print("\(commands.count) commands in documents, \(wrong) wrong")
    #expect(commands.count > 300)
  }

  @Test func `commands that only describe succeed`() throws {
    var count = 0
    for command in try DocumentedCommand.all() where command.onlyDescribes {
      count += 1
      let outcome = try Program.run(Array(command.words.dropFirst()), in: command.folder)
      #expect(outcome.exitCode == 0, "\(command.path): \(command.text): \(outcome.errorText)")
    }
    print("\(count) commands run")
    #expect(count > 10)
  }

  @Test(arguments: [
    "fxrun control get tuner.cents", "fxrun control guitar set comp.threshold",
    "fxrun chain.json in.wav --nothing", "fxrun check --nothing", "fxrun nothing chain.json in.wav",
    "fxrun plan chains/nothing.json", "fxrun none in.wav -o out.wav --loudness loud",
    "fxrun frobnicate",
  ])
  func `a wrong command is found`(_ text: String) {
    #expect(DocumentedCommand(path: "docs/live.md", text: text).mistake != nil)
  }
}

/// A command line in a document.
private struct DocumentedCommand {
  let path: String
  let text: String
  let words: [String]

  init(path: String, text: String) {
    self.path = path
    self.text = text
    // The file that a process substitution gives.
    words = Self.split(text.replacing(/<\([^)]*\)/, with: "FILE"))
  }

  private static let commands = CommandTree.read()

  /// A sentence mentions a command by its name alone, and a synopsis has placeholders.
  private var isComplete: Bool {
    !words.dropFirst().contains {
      $0.contains("…") || $0.hasPrefix("[") || $0.contains(/^[A-Z|]{2,}$/)
    }
  }

  /// True for a sentence's words about a command or its options, without files.
  private func isMention(_ arguments: [String]) -> Bool {
    if [["none"], [CompletionAnswer.command]].contains(arguments) { return true }
    guard var command = Self.commands else { return false }
    var rest = arguments[...]
    while let next = rest.first, let named = command.command(next) {
      command = named
      rest = rest.dropFirst()
    }
    while let standard = command.standard, let named = command.command(standard) {
      command = named
    }
    let given = Given(Array(rest), of: command)
    return rest.count < arguments.count && given.places.isEmpty
      && given.used.allSatisfy { command.option($0) != nil }
  }

  /// What the command line says about it, or which file is missing; nil where it is right.
  var mistake: String? {
    var arguments = Array(words.dropFirst())
    // A synopsis marks the words that may be left out.
    if !isComplete { arguments = arguments.filter { !$0.hasPrefix("[") && !$0.hasSuffix("]") } }
    if isMention(arguments) { return nil }
    do {
      let command = try RootCommand.parseAsRoot(arguments)
      if let run = command as? RunCommand, run.replay == nil { _ = try run.request() }
      if let control = command as? ControlCommand, !control.request.isEmpty,
        !control.request.contains(where: { ["--help", "-h"].contains($0) })
      {
        if isComplete || control.request.count > 1 { _ = try ControlWords(control.request) }
        if ControlVerbs.named(control.request[0]) == nil { return "there is no such request" }
        if ControlVerbs.named(control.name) != nil { return "the performance's name is missing" }
      }
    } catch  where RootCommand.exitCode(for: error) != .success {
      return RootCommand.message(for: error)
    } catch {
      // Help and version are no mistakes.
    }
    // One word that is no file and no address is a mistyped command.
    if let first = arguments.first, arguments.count == 1, !first.contains("."),
      !first.hasPrefix("-"), isComplete
    {
      return "there is no command '\(first)'"
    }
    let missing = files.first {
      !FileManager.default.fileExists(atPath: "\(Fixture.repository)/\($0)")
    }
    return missing.map { "there is no file '\($0)'" }
  }

  /// The chains of the repository that it names.
  private var files: [String] {
    words.filter { $0.hasPrefix("chains/") && $0.hasSuffix(".json") && !$0.contains("*") }
  }

  /// The folder in which it would be run.
  var folder: String { Fixture.repository }

  /// True if it prints something about units, or about chains that exist, and writes no file.
  var onlyDescribes: Bool {
    guard isComplete, words.count > 1, !words.contains("-o"), mistake == nil else { return false }
    return switch words[1] {
    case "--version", "--help", "help", "units", "schema": words.count < 4
    case "check", "plan":
      !files.isEmpty && words.dropFirst(2).allSatisfy { $0.hasPrefix("-") || files.contains($0) }
    default: false
    }
  }

  // MARK: - Reading

  static func all() throws -> [DocumentedCommand] {
    var commands: [DocumentedCommand] = []
    let names = FileManager.default.enumerator(atPath: Fixture.repository)
    while let name = names?.nextObject() as? String {
      let last = name.split(separator: "/").last ?? ""
      if last.hasPrefix(".") || ["out", "Fixtures"].contains(last) {
        names?.skipDescendants()
      } else if name.hasSuffix(".md") {
        commands += inDocument(name, try text(name))
      } else if name.hasPrefix("chains/"), name.hasSuffix(".json") {
        commands += inComments(name, try text(name))
      }
    }
    return commands
  }

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: URL(filePath: "\(Fixture.repository)/\(name)"), encoding: .utf8)
  }

  private static func inDocument(_ path: String, _ text: String) -> [DocumentedCommand] {
    var commands: [DocumentedCommand] = []
    var isCode = false
    let joined = text.replacing(/\\\n */, with: " ")
    for line in joined.split(separator: "\n") {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if isCode {
        let line = line.hasPrefix("$ ") ? line.dropFirst(2) : line
        for part in line.split(separator: " | ") where part.hasPrefix("fxrun ") {
          commands.append(DocumentedCommand(path: path, text: String(part)))
        }
      } else {
        for match in line.matches(of: /`(fxrun [^`]*)`/) {
          commands.append(DocumentedCommand(path: path, text: String(match.1)))
        }
      }
    }
    return commands
  }

  /// In a comment a command ends with the part of the sentence.
  private static func inComments(_ path: String, _ text: String) -> [DocumentedCommand] {
    text.matches(of: /(fxrun .*?)(?:[.,:;)'`]?["'`]|[.,:;)] )/).map { match in
      DocumentedCommand(path: path, text: String(match.1))
    }
  }

  /// The words of a shell line, up to a comment, a redirection or a pipe.
  private static func split(_ text: String) -> [String] {
    var words: [String] = []
    var (word, quote, spaces) = (String?.none, Character?.none, 0)
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        (quote, word) = (character, word ?? "")
      } else if character == " " {
        if let ended = word { words.append(ended) }
        (word, spaces) = (nil, word == nil ? spaces + 1 : 1)
        // Columns of spaces divide a command from a remark.
        if spaces > 1 { return words }
      } else if "#>|<&;".contains(character), word == nil || character == ";" {
        break
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap { $0 }
  }
}
