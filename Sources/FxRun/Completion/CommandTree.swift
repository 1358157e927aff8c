import ArgumentParser
import FxChain

/// The commands and their arguments, for completion.
struct CommandTree {
  struct Argument {
    var isPositional = false
    var takesValue = false
    var isRepeating = false
    var names: [String] = []
    var sentence = ""
    var completion: Completion = .none
  }

  /// What can stand for a value.
  enum Completion {
    case none, folders
    case words([String])
    /// Files whose names end so; all files without an extension.
    case files([String])
    case lookedUp(CompletionWords)
  }

  let name: String
  let sentence: String
  let arguments: [Argument]
  let commands: [CommandTree]
  /// The command that is meant where none is named.
  let standard: String?

  /// A command with those below it: all commands of fxrun, or a request of `fxrun control`.
  static func read(_ command: any ParsableCommand.Type = RootCommand.self) -> CommandTree? {
    var found = Diagnostics()
    let source = SourceText(path: "commands", bytes: Array(command._dumpHelp().utf8))
    return JSONDocument.read(source, into: &found).flatMap { $0.root["command"] }
      .map { CommandTree($0) }
  }

  private init(_ value: JSONValue) {
    name = value["commandName"]?.string ?? ""
    sentence = value["abstract"]?.string ?? ""
    standard = value["defaultSubcommand"]?.string
    arguments = (value["arguments"]?.elements ?? []).filter { $0["shouldDisplay"]?.bool == true }
      .map { Argument($0) }
    commands = (value["subcommands"]?.elements ?? []).map { CommandTree($0) }
  }

  func command(_ name: String) -> CommandTree? { commands.first { $0.name == name } }

  func option(_ name: String) -> Argument? { arguments.first { $0.names.contains(name) } }
}

extension CommandTree.Argument {
  fileprivate init(_ value: JSONValue) {
    let kind = value["kind"]?.string
    isPositional = kind == "positional"
    takesValue = kind == "option"
    isRepeating = value["isRepeating"]?.bool == true
    names = (value["names"]?.elements ?? []).map {
      ($0["kind"]?.string == "short" ? "-" : "--") + ($0["name"]?.string ?? "")
    }
    sentence = value["abstract"]?.string ?? ""
    completion = CommandTree.Completion(value["completionKind"])
  }
}

extension CommandTree.Completion {
  fileprivate init(_ value: JSONValue?) {
    func words(_ list: JSONValue?) -> [String] { (list?.elements ?? []).compactMap(\.string) }
    switch value?.members.first?.key.string {
    case "list": self = .words(words(value?["list"]?["values"]))
    case "file": self = .files(words(value?["file"]?["extensions"]))
    case "directory": self = .folders
    case "shellCommand":
      let name = value?["shellCommand"]?["command"]?.string
      self = name.flatMap(CompletionWords.init).map { .lookedUp($0) } ?? .none
    default: self = .none
    }
  }
}
