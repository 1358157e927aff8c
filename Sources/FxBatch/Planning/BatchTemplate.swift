package import FxKit

/// The name of an output, with fields that each input fills: `done/{path}.flac`.
package struct BatchTemplate: Sendable, Equatable {
  /// What may stand in braces.
  package enum Field: String, Sendable, CaseIterable {
    /// The input's name without its ending.
    case name
    /// The same.
    case stem
    /// The ending without its dot, as the input has it.
    case ext
    /// The name of the folder that the input lies in.
    case parent
    /// The input's path within the folder that was given, without its ending.
    case path
    /// The input's number among all inputs, with as many digits as the last one has.
    case index
    /// What a line of JSON calls the job; else the number.
    case id
  }

  private enum Part: Sendable, Equatable {
    case text(String)
    case field(Field)
  }

  /// As it was given.
  package let text: String
  private let parts: [Part]

  /// - Throws: `ChainFailure` of kind `request` for braces that hold no field.
  package init(_ text: String) throws(ChainFailure) {
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
        if character == "}" { throw Self.mistake(text, "a } has no { before it") }
        plain.append(character)
        continue
      }
      guard let end = rest.firstIndex(of: "}") else {
        throw Self.mistake(text, "a { is not closed")
      }
      guard let field = Field(rawValue: String(rest[..<end])) else {
        throw Self.mistake(text, "there is no field {\(rest[..<end])}")
      }
      if !plain.isEmpty { parts.append(.text(plain)) }
      plain = ""
      parts.append(.field(field))
      rest = rest[rest.index(after: end)...]
    }
    if !plain.isEmpty { parts.append(.text(plain)) }
    guard !parts.isEmpty else { throw Self.mistake(text, "it is empty") }
    self.text = text
    self.parts = parts
  }

  private static func mistake(_ text: String, _ problem: String) -> ChainFailure {
    let fields = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
    return ChainFailure(
      .request, code: "usage", "the output '\(text)' cannot be filled in: \(problem)",
      hints: ["fields are \(fields); a brace itself is written twice: {{"])
  }

  /// The folder that every output lies in: what stands before the first field, up to its last slash.
  package var folder: String {
    guard case .text(let text)? = parts.first, let slash = text.lastIndex(of: "/") else {
      return "."
    }
    return slash == text.startIndex ? "/" : String(text[..<slash])
  }

  /// The name for one input.
  package func filled(_ file: BatchFile, index: Int, of count: Int, id: String?) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(.name), .field(.stem): file.stem
      case .field(.ext): file.ending
      case .field(.parent): file.parent
      case .field(.path): file.relativeStem
      case .field(.index): Self.number(index, of: count)
      case .field(.id): id.map(Self.name) ?? Self.number(index, of: count)
      }
    }.joined()
  }

  private static func number(_ index: Int, of count: Int) -> String {
    let digits = String(index)
    return String(repeating: "0", count: max(0, String(count).count - digits.count)) + digits
  }

  /// An id leads to no other folder.
  private static func name(_ id: String) -> String { id.replacing("/", with: "_") }
}
