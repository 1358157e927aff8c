/// The answer to a shell that completes a command line: what can stand at the cursor.
///
/// A shell runs `fxrun __complete CURSOR WORDS…`: the number of the word at the cursor, from 0, and
/// all words, `fxrun` first. Each line of the answer is a word, and after a tab its sentence; or
/// `:files EXTENSIONS…` or `:folders`, which the shell finds itself.
struct CompletionAnswer {
  static let command = "__complete"

  private(set) var lines: [String] = []
  private let tree: CommandTree

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
    while let next = rest.first, let named = command.command(next) {
      command = named
      rest = rest.dropFirst()
    }
    if rest.isEmpty {
      for each in command.commands { add(each.name, each.sentence, word) }
    }
    let isRoot = command.name == tree.name
    while let standard = command.standard, let named = command.command(standard) { command = named }
    let (option, positionalCount, used) = read(Array(rest), command)
    let (name, value) = Self.split(word)
    if let option {
      // bash makes a word of the sign in `--format=flac`.
      add(option.completion, word == "=" ? "" : word, before)
    } else if let value, let option = command.option(name), option.takesValue {
      add(option.completion, value, before, prefix: "\(name)=")
    } else if word.hasPrefix("-") {
      for argument in command.arguments where !argument.isPositional {
        let isUsed = !argument.isRepeating && !used.isDisjoint(with: argument.names)
        if !isUsed, let name = argument.names.last { add(name, argument.sentence, word) }
      }
    } else {
      let places = command.arguments.filter(\.isPositional)
      if let place = places.dropFirst(positionalCount).first ?? places.last,
        positionalCount < places.count || place.isRepeating
      {
        add(place.completion, word, isRoot ? [] : before)
      }
    }
  }

  /// The option whose value comes next, the number of positional arguments, and the given options.
  private func read(
    _ words: [String], _ command: CommandTree
  ) -> (option: CommandTree.Argument?, positionalCount: Int, used: Set<String>) {
    var (count, used, open) = (0, Set<String>(), CommandTree.Argument?.none)
    var isOpen = true
    for word in words {
      if word == "=" { continue }
      if open != nil {
        open = nil
      } else if isOpen, word == "--" {
        isOpen = false
      } else if isOpen, word.hasPrefix("-"), word != "-" {
        let (name, value) = Self.split(word)
        used.insert(name)
        if value == nil, let option = command.option(name), option.takesValue { open = option }
      } else {
        count += 1
      }
    }
    return (open, count, used)
  }

  private static func split(_ word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
  }

  private mutating func add(
    _ completion: CommandTree.Completion, _ word: String, _ before: [String], prefix: String = ""
  ) {
    switch completion {
    case .none: break
    case .folders: lines.append(":folders")
    case .files(let extensions): lines.append(([":files"] + extensions).joined(separator: " "))
    case .words(let words): for each in words { add(each, "", word, prefix: prefix) }
    case .custom:
      for each in ControlCommand.completions(after: before) { add(each, "", word, prefix: prefix) }
    }
  }

  private mutating func add(
    _ candidate: String, _ sentence: String, _ word: String, prefix: String = ""
  ) {
    guard candidate.hasPrefix(word) else { return }
    let short = sentence.split(whereSeparator: \.isNewline).first ?? ""
    lines.append(prefix + candidate + (short.isEmpty ? "" : "\t\(short)"))
  }
}
