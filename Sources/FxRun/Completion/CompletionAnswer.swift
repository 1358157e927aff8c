import ArgumentParser

/// The answer to a shell that completes a command line: what can stand at the cursor.
///
/// A shell runs `fxrun __complete CURSOR WORDS…`: the number of the word at the cursor, from 0, and
/// all words, `fxrun` first. Each line of the answer is a word, and after a tab its sentence; or
/// `:files EXTENSIONS…` or `:folders`, which the shell finds itself. After `:prefix TEXT` the file
/// names begin behind this text of the word.
struct CompletionAnswer {
  static let command = "__complete"

  private(set) var lines: [String] = []
  private let tree: CommandTree
  private var context = CompletionWords.Context()

  /// - Parameter arguments: what follows `__complete`.
  static func text(_ arguments: [String]) -> String {
    guard let first = arguments.first, let cursor = Int(first), let tree = CommandTree.read() else {
      return ""
    }
    let words = Array(arguments.dropFirst())
    var answer = CompletionAnswer(tree: tree)
    answer.complete(
      words.prefix(max(cursor, 0)).dropFirst().map { $0 },
      words.indices.contains(cursor) ? words[cursor] : "")
    return answer.lines.map { "\($0)\n" }.joined()
  }

  private init(tree: CommandTree) { self.tree = tree }

  private mutating func complete(_ before: [String], _ word: String) {
    var command = tree
    var rest = before[...]
    // `fxrun help` explains the commands that follow it.
    let asksForHelp = rest.first == "help"
    if asksForHelp { rest = rest.dropFirst() }
    while let next = rest.first, let named = command.command(next) {
      command = named
      rest = rest.dropFirst()
    }
    if rest.isEmpty {
      for each in command.commands { add(each.name, each.sentence, word) }
      if command.name == tree.name, !asksForHelp { add("help", "Explain a command.", word) }
    }
    guard !asksForHelp else { return }
    while let standard = command.standard, let named = command.command(standard) { command = named }
    if command.name == ControlCommand.configuration.commandName {
      completeRequest(Array(rest), command, word)
    } else {
      complete(Array(rest), word, of: command)
    }
  }

  /// `control [--timeout SECONDS] NAME REQUEST`: the arguments of a request are those of its verb.
  private mutating func completeRequest(
    _ words: [String], _ command: CommandTree, _ word: String
  ) {
    let given = Given(words, of: command)
    guard let name = given.places.first else { return complete(words, word, of: command) }
    context.performance = name
    let request = given.places.dropFirst()
    guard let first = request.first else {
      if !word.hasPrefix("-") { add(.lookedUp(.requests), word) }
      return
    }
    if let type = ControlVerbs.named(first), let verb = CommandTree.read(type) {
      complete(Array(request.dropFirst()), word, of: verb)
    }
  }

  /// Completes a word behind the others of a command.
  private mutating func complete(_ words: [String], _ word: String, of command: CommandTree) {
    let given = Given(words, of: command)
    context.places = given.places
    context.definitions = given.definitions
    let (name, value) = Given.split(word)
    if let option = given.open {
      add(option.completion, word)
    } else if let value, let option = command.option(name), option.takesValue {
      add(option.completion, value, prefix: "\(name)=")
    } else if word.hasPrefix("-"), given.takesOptions {
      for argument in command.arguments where !argument.isPositional {
        let isUsed = !argument.isRepeating && !given.used.isDisjoint(with: argument.names)
        if !isUsed, let name = argument.names.last { add(name, argument.sentence, word) }
      }
    } else {
      let places = command.arguments.filter(\.isPositional)
      if let place = places.dropFirst(given.places.count).first ?? places.last,
        given.places.count < places.count || place.isRepeating
      {
        add(place.completion, word)
      }
    }
  }

  private mutating func add(
    _ completion: CommandTree.Completion, _ word: String, prefix: String = ""
  ) {
    switch completion {
    case .none: break
    case .folders: addFiles(":folders", prefix)
    case .files(let extensions): addFiles(([":files"] + extensions).joined(separator: " "), prefix)
    case .words(let words): for each in words { add(each, "", word, prefix: prefix) }
    case .lookedUp(let words):
      for each in words.list(word, in: context) {
        if each.takesFile, word.hasPrefix(each.text) {
          addFiles(":files", prefix + each.text)
        } else {
          add(each.text, each.sentence, word, prefix: prefix)
        }
      }
      if words == .plotted || words == .chains { addFiles(":files json", prefix) }
    }
  }

  private mutating func addFiles(_ line: String, _ prefix: String) {
    if !prefix.isEmpty { lines.append(":prefix \(prefix)") }
    lines.append(line)
  }

  private mutating func add(
    _ candidate: String, _ sentence: String, _ word: String, prefix: String = ""
  ) {
    guard candidate.hasPrefix(word), !candidate.contains("\n") else { return }
    let short = sentence.split(whereSeparator: \.isNewline).first ?? ""
    lines.append(prefix + candidate + (short.isEmpty ? "" : "\t\(short)"))
  }
}

/// What the words of a command line say already.
struct Given {
  /// The option whose value comes next.
  private(set) var open: CommandTree.Argument?
  /// The positional arguments.
  private(set) var places: [String] = []
  /// The names of the given options.
  private(set) var used: Set<String> = []
  /// The values of `--define`.
  private(set) var definitions: [String] = []
  /// False behind `--`.
  private(set) var takesOptions = true

  init(_ words: [String], of command: CommandTree) {
    for word in words {
      if let option = open {
        if option.names == ["--define"] { definitions.append(word) }
        open = nil
      } else if takesOptions, word == "--" {
        takesOptions = false
      } else if takesOptions, word.hasPrefix("-"), word != "-" {
        let (name, value) = Self.split(word)
        used.insert(name)
        if name == "--define", let value { definitions.append(value) }
        if value == nil, let option = command.option(name), option.takesValue { open = option }
      } else {
        places.append(word)
      }
    }
  }

  static func split(_ word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
  }
}
