import FxKit

/// Reads the structures of a BruteFIR configuration: `filter "left" { coeff: 0; … };`, and the settings between them.
struct BruteFIRParser {
  /// A structure, or the general settings.
  struct Section {
    /// `coeff`, `input`, `output`, `filter`; empty for the general settings.
    let kind: String
    /// Its names or numbers, without quotation marks.
    let names: [String]
    /// A map of its fields.
    let source: SourceValue
  }

  private let characters: [Character]
  private let path: String
  private var at = 0
  private var line = 1

  /// - Throws: `ChainFailure` of kind `input` with the line of a mistake.
  static func sections(_ text: String, path: String) throws(ChainFailure) -> [Section] {
    var parser = BruteFIRParser(text, path)
    return try parser.sections()
  }

  private init(_ text: String, _ path: String) {
    characters = Array(text)
    self.path = path
  }

  private mutating func sections() throws(ChainFailure) -> [Section] {
    var sections: [Section] = []
    var settings: [(key: String, value: SourceValue)] = []
    while true {
      let (start, end) = try text(until: ":{")
      guard let end else {
        guard start.text.isEmpty else { throw mistake("a setting has no ':'") }
        break
      }
      guard end == "{" else {
        settings.append(try field(start.text, start.line, ""))
        continue
      }
      let kind = String(start.text.prefix { $0.isLetter })
      let names = Self.elements(start.text.dropFirst(kind.count)).map(Self.unquoted)
      let name = ([kind] + names).joined(separator: " ")
      sections.append(
        Section(
          kind: kind, names: names,
          source: SourceValue(.map(try fields(name)), line: start.line, path: name)))
    }
    let general = SourceValue(.map(settings), line: 1, path: "")
    return [Section(kind: "", names: [], source: general)] + sections
  }

  /// The fields of a structure, to the semicolon after its end.
  private mutating func fields(
    _ path: String
  ) throws(ChainFailure) -> [(key: String, value: SourceValue)] {
    var fields: [(key: String, value: SourceValue)] = []
    while true {
      let (start, end) = try text(until: ":}")
      if end == "}" {
        guard start.text.isEmpty else { throw mistake("a field has no ':'") }
        let (rest, end) = try text(until: ";")
        guard rest.text.isEmpty, end != nil else { throw mistake("a structure ends with '};'") }
        return fields
      }
      guard end != nil else { throw mistake("the file ends before a structure is closed") }
      fields.append(try field(start.text, start.line, path))
    }
  }

  /// A value to its semicolon, which may have structures inside of it.
  private mutating func field(
    _ key: String, _ line: Int, _ path: String
  ) throws(ChainFailure) -> (key: String, value: SourceValue) {
    let (value, end) = try text(until: ";")
    guard end != nil else { throw mistake("the value of '\(key)' has no ';'") }
    let name = path.isEmpty ? key : "\(path).\(key)"
    return (key, SourceValue(.scalar(value.text), line: line, path: name))
  }

  /// The text to one of these characters outside of quotation marks and braces, without comments.
  ///
  /// - Returns: the text without spaces at its ends, the line where it begins, and the character; nil at the end.
  private mutating func text(
    until ends: String
  ) throws(ChainFailure) -> (start: (text: String, line: Int), end: Character?) {
    var text = ""
    var first: Int?
    var depth = 0
    var isQuoted = false
    while at < characters.count {
      let character = characters[at]
      at += 1
      if character.isNewline { line += 1 }
      if character == "\"" { isQuoted.toggle() }
      if !isQuoted {
        if character == "#" {
          while at < characters.count, !characters[at].isNewline { at += 1 }
          continue
        }
        if depth == 0, ends.contains(character) {
          return ((text.trimmed, first ?? line), character)
        }
        if character == "{" { depth += 1 }
        if character == "}" { depth -= 1 }
      }
      if !character.isWhitespace, first == nil { first = line }
      text.append(character)
    }
    guard !isQuoted else { throw mistake("the file ends before a quotation mark") }
    return ((text.trimmed, first ?? line), nil)
  }

  private func mistake(_ message: String) -> ChainFailure {
    ChainFailure(.input, code: .unreadable, "\(path):\(line): \(message)", path: path)
  }

  // MARK: Values

  /// The elements of a list with commas.
  static func elements(_ text: some StringProtocol) -> [String] { split(text, at: ",") }

  /// The parts of a text between separators outside of quotation marks.
  static func split(_ text: some StringProtocol, at separator: Character) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == separator, !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    let trimmed = parts.map(\.trimmed)
    return trimmed == [""] ? [] : trimmed
  }

  static func unquoted(_ text: String) -> String { text.filter { $0 != "\"" }.trimmed }
}
