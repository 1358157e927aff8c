import FxChain

/// An option of a chain setup: `-efl:1000`, with its arguments and its outcome.
struct EcasoundOption {
  /// The name without its `-`: `efl`.
  let name: String
  let arguments: [String]
  let source: SourceValue

  /// - Parameters:
  ///   - text: the option as ecasound sees it.
  ///   - line: its line in the file, from 1.
  init(_ text: String, line: Int) {
    let end = text.firstIndex(of: ":") ?? text.endIndex
    name = String(text[..<end].dropFirst())
    arguments =
      end == text.endIndex
      ? []
      : text[text.index(after: end)...].split(separator: ",", omittingEmptySubsequences: false)
        .map { String($0).trimmed }
    source = SourceValue(.scalar(text), line: line, path: text)
  }

  /// An argument by its place from 0; nil for one that is missing or empty.
  func argument(_ index: Int) -> String? {
    arguments.indices.contains(index) && !arguments[index].isEmpty ? arguments[index] : nil
  }

  func refuse(_ reason: String) { source.turn(.notPossible(reason)) }

  // MARK: A file

  /// The options of a file. An option without `:` takes the word after it as its arguments; a word that is no option
  /// is an input.
  static func read(_ text: String) -> [EcasoundOption] {
    let lines = text.split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r\n" || $0 == "\r"
    }
    var words: [(text: String, line: Int)] = []
    for (index, line) in lines.enumerated() where !line.hasPrefix("#") {
      words += Self.words(line).map { ($0, index + 1) }
    }
    var options: [EcasoundOption] = []
    var index = 0
    while index < words.count {
      var (word, line) = words[index]
      index += 1
      if !word.hasPrefix("-") {
        word = "-i:" + word
      } else if !word.contains(":"), index < words.count, !words[index].text.hasPrefix("-") {
        word += ":" + words[index].text
        index += 1
      }
      options.append(EcasoundOption(word, line: line))
    }
    return options
  }

  /// The words of a line. Quotation marks keep spaces; a backslash keeps the character after it.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    var isEscaped = false
    for character in line {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character.isWhitespace, !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }
}
