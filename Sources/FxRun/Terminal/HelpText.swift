import ArgumentParser

/// The help of a command as it is printed: exit statuses come last.
enum HelpText {
  /// The help of a command and of the subcommand that is meant where none is named, if the
  /// arguments ask for it.
  static func ofBoth(
    _ arguments: [String], _ commands: [any ParsableCommand.Type]
  ) -> String? {
    guard arguments.count == 2,
      let name = arguments[0] == "help" ? arguments[1] : arguments.first,
      arguments[0] == "help" || ["--help", "-h"].contains(arguments[1]),
      let command = commands.first(where: { $0.configuration.commandName == name }),
      let standard = command.configuration.defaultSubcommand
    else { return nil }
    let own = RootCommand.helpMessage(for: command).split(
      separator: "\n\n", omittingEmptySubsequences: false
    ).map(String.init)
    let options = RootCommand.helpMessage(for: standard).split(
      separator: "\n\n", omittingEmptySubsequences: false
    ).map(String.init).filter {
      $0.hasPrefix("ARGUMENTS:") || $0.hasPrefix("OPTIONS:")
    }
    let parts = own.flatMap { $0.hasPrefix("OPTIONS:") ? options : [$0] }
    return parts.map { part in
      String(part.reversed().drop(while: \.isNewline).reversed())
    }.joined(separator: "\n\n")
  }

  /// Moves the paragraph about the exit status behind everything else.
  static func arranged(_ text: String) -> String {
    let parts = text.split(separator: "\n\n", omittingEmptySubsequences: false).map(String.init)
    guard let place = parts.firstIndex(where: { $0.hasPrefix("Exit status: ") }) else {
      return text
    }
    var rest = parts
    let statuses = rest.remove(at: place)
    while rest.last?.isEmpty == true { rest.removeLast() }
    // Those of fxrun itself are many: one a line.
    let isRoot =
      statuses.split(whereSeparator: \.isWhitespace) == ExitStatus.help.split(separator: " ")
    return (rest + [isRoot ? ExitStatus.table : statuses]).joined(separator: "\n\n")
  }
}
