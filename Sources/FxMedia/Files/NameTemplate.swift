package import FxAudio

/// A file name with fields in braces that are filled in later: `part-{n}.flac`.
package struct NameTemplate<Field>: Sendable, Equatable
where Field: RawRepresentable<String> & CaseIterable & Sendable & Equatable {
  package enum Part: Sendable, Equatable {
    case text(String)
    case field(Field)
  }

  /// The template as the user wrote it.
  package let text: String
  package let parts: [Part]

  package init(_ text: String) throws(Failure) {
    var parts: [Part] = []
    var plain = ""
    var rest = text[...]
    while let character = rest.first {
      rest = rest.dropFirst()
      if character == "{" || character == "}", rest.first == character {
        plain.append(character)
        rest = rest.dropFirst()
        continue
      }
      guard character == "{" else {
        if character == "}" { throw Self.mistake("a } has no { before it") }
        plain.append(character)
        continue
      }
      guard let end = rest.firstIndex(of: "}") else { throw Self.mistake("a { is not closed") }
      guard let field = Field(rawValue: String(rest[..<end])) else {
        throw Self.mistake("there is no field {\(rest[..<end])}")
      }
      if !plain.isEmpty { parts.append(.text(plain)) }
      plain = ""
      parts.append(.field(field))
      rest = rest[rest.index(after: end)...]
    }
    if !plain.isEmpty { parts.append(.text(plain)) }
    guard !parts.isEmpty else { throw Self.mistake("it is empty") }
    self.text = text
    self.parts = parts
  }

  private static func mistake(_ problem: String) -> Failure {
    let fields = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
    return Failure(
      .usage, problem, hints: ["fields are \(fields); a brace itself is written twice: {{"])
  }

  package func contains(_ field: Field) -> Bool { parts.contains(.field(field)) }

  /// The text before the first field.
  package var beginning: String {
    if case .text(let text)? = parts.first { text } else { "" }
  }

  /// The text after the last field.
  package var end: String {
    if case .text(let text)? = parts.last, parts.count > 1 { text } else { "" }
  }

  /// The path with all fields filled in. A value cannot lead to another folder: a step that a value
  /// makes `.` or `..` becomes `_` or `__`, and one that it leaves empty cannot begin an absolute
  /// path. The steps of the template itself are the user's own.
  package func filled(_ value: (Field) -> String) -> String {
    var steps = [(text: "", isFilled: false)]
    for part in parts {
      let (text, isFilled) =
        switch part {
        case .text(let text): (text, false)
        case .field(let field): (value(field), true)
        }
      for (index, piece) in text.split(separator: "/", omittingEmptySubsequences: false)
        .enumerated()
      {
        if index > 0 { steps.append(("", false)) }
        steps[steps.count - 1].text += piece
        steps[steps.count - 1].isFilled = steps[steps.count - 1].isFilled || isFilled
      }
    }
    return steps.enumerated().map { index, step in
      guard step.isFilled else { return step.text }
      if step.text.isEmpty, index == 0, steps.count > 1 { return "." }
      return step.text == "." || step.text == ".."
        ? String(repeating: "_", count: step.text.utf8.count) : step.text
    }.joined(separator: "/")
  }
}
