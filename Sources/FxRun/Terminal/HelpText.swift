/// The help of a command as it is printed: exit statuses come last.
enum HelpText {
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
