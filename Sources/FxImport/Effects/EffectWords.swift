/// The words of a command line.
enum EffectWords {
  /// Splits at spaces; quotation marks and backslashes work as in a shell.
  static func split(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if let open = quote {
        if character == open {
          quote = nil
        } else if character == "\\", open == "\"" {
          isEscaped = true
        } else {
          word = (word ?? "") + String(character)
        }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character == "\\" {
        isEscaped = true
      } else if character.isWhitespace {
        if let finished = word { words.append(finished) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }
}
