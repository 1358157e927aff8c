import FxChain
import FxKit

/// The lines of a configuration of Equalizer APO and of the files that it includes, in the order in which they apply.
struct EqualizerAPOFile {
  /// A command and the line that it stands in.
  struct Step {
    let command: EqualizerCommand
    let source: SourceValue
  }

  private(set) var steps: [Step] = []
  /// All lines that say something.
  private(set) var lines: [SourceValue] = []
  private let importing: Importing

  private static let depthLimit = 8
  private static let lineLimit = 20_000

  init(_ text: String, _ importing: Importing) {
    self.importing = importing
    read(text, scope: EqualizerScope(), folder: "", included: nil)
  }

  /// A file that another one includes: its name and the line there.
  private struct Inclusion {
    let name: String
    let line: Int
    let depth: Int
  }

  private mutating func read(
    _ text: String, scope: EqualizerScope, folder: String, included: Inclusion?
  ) {
    var texts = text.split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r\n" || $0 == "\r"
    }.map(String.init)
    let sources = texts.enumerated().map { index, text in
      SourceValue(
        .scalar(text), line: included?.line ?? index + 1,
        path: included.map { "\($0.name):\(index + 1): \(text)" } ?? text)
    }
    leaveOutConditions(&texts, sources)
    var document = EqualizerDocument(texts.joined(separator: "\n"), scope: scope)
    if leaveOutUnknownScopes(&texts, sources, document) {
      document = EqualizerDocument(texts.joined(separator: "\n"), scope: scope)
    }
    lines += zip(texts, sources).filter { !Self.isSilent($0.1.text ?? "") }.map(\.1)
    for mistake in document.mistakes where texts.indices.contains(mistake.line - 1) {
      sources[mistake.line - 1].turn(.notPossible(mistake.message))
    }
    for note in document.notes where texts.indices.contains(note.line - 1) {
      sources[note.line - 1].turn(Self.outcome(note.message))
    }
    for command in document.commands {
      let source = sources[command.line - 1]
      if case .include(let name) = command.action {
        include(name, command, source, folder, included)
      } else {
        steps.append(Step(command: command, source: source))
      }
    }
    for source in sources { source.settle() }
  }

  /// True for a line that says nothing.
  private static func isSilent(_ text: String) -> Bool {
    let text = text.trimmed
    return text.isEmpty || text.hasPrefix("#")
  }

  private static func outcome(_ note: String) -> ImportOutcome {
    if note.hasPrefix("'Eval'") { return .notPossible(note) }
    return note.hasPrefix("the device") ? .approximated(note) : .translated(note)
  }

  private mutating func include(
    _ name: String, _ command: EqualizerCommand, _ source: SourceValue, _ folder: String,
    _ included: Inclusion?
  ) {
    let depth = (included?.depth ?? 0) + 1
    let written = name.replacing("\\", with: "/")
    let path = written.hasPrefix("/") ? written : folder + written
    guard depth <= Self.depthLimit, lines.count < Self.lineLimit else {
      return source.turn(.notPossible("files include each other too deeply"))
    }
    guard let text = importing.text(of: path) else {
      return source.turn(.notPossible("the file '\(written)' cannot be read"))
    }
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    read(
      text, scope: command.scope, folder: String(path[..<end]),
      included: Inclusion(name: written, line: source.line, depth: depth))
  }

  // MARK: Lines that cannot be read

  /// Empties the lines between `If` and `EndIf`: nobody knows which of them apply.
  private func leaveOutConditions(_ texts: inout [String], _ sources: [SourceValue]) {
    var depth = 0
    for index in texts.indices {
      let key = texts[index].prefix { $0 != ":" }.lowercased().trimmed
      if key == "if" { depth += 1 }
      guard depth > 0 else { continue }
      if key == "endif" { depth -= 1 }
      if !Self.isSilent(texts[index]) {
        sources[index].turn(.notPossible("fxrun does not evaluate conditions"))
      }
      texts[index] = ""
    }
  }

  /// Empties the lines after a `Channel` or `Stage` with a mistake, up to the next one.
  ///
  /// - Returns: true if there are such lines.
  private func leaveOutUnknownScopes(
    _ texts: inout [String], _ sources: [SourceValue], _ document: EqualizerDocument
  ) -> Bool {
    let wrong = Set(document.mistakes.map(\.line))
    var isUnknown: [String: Bool] = [:]
    var hasFound = false
    for index in texts.indices {
      let key = texts[index].prefix { $0 != ":" }.lowercased().trimmed
      if key == "channel" || key == "stage" {
        isUnknown[key] = wrong.contains(index + 1)
      } else if isUnknown.values.contains(true), !Self.isSilent(texts[index]) {
        sources[index].turn(.notPossible("fxrun does not have the channels that it is for"))
        texts[index] = ""
        hasFound = true
      }
    }
    return hasFound
  }
}
