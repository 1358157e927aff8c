import FxAudio

/// A message about a chain: the mistake, its place and possible solutions.
package struct Diagnostic: Sendable, Equatable, Error {
  package enum Severity: String, Sendable, Hashable {
    case error, warning, note
  }

  package var severity: Severity
  package var code: DiagnosticCode
  package var message: String
  /// Possible solutions, one per line.
  package var hints: [String]
  /// The place in a chain file; nil for mistakes from the command line or the caller.
  package var place: Place?
  /// In place of a file: the argument (`--set comp.ratio=40`) or the name of a file.
  package var origin: String?
  /// The code that made the part with the mistake, where it has no place in a text.
  private let site: CallSite?

  package init(
    _ code: DiagnosticCode, _ message: String, at place: Place? = nil, hints: [String] = [],
    origin: String? = nil, severity: Severity? = nil, site: CallSite? = nil
  ) {
    self.code = code
    self.message = ForeignText.shortened(message, to: Self.messageLimit)
    self.place = place
    self.hints = hints.map { ForeignText.shortened($0, to: Self.hintLimit) }
    self.origin = origin
    self.site = site
    self.severity = severity ?? code.severity
  }

  /// The limit in characters; a longer message quotes a long value.
  private static let messageLimit = 600
  /// The limit is higher because a hint may list names.
  private static let hintLimit = 2000

  /// The code that made the part with the mistake; nil for a chain from a text.
  package var codeSite: CallSite? {
    guard let place else { return site }
    return place.source.code.flatMap { $0.site(of: place.path) }
  }

  package var file: String? { codeSite?.file ?? place?.source.path ?? origin }
  /// From 1.
  package var line: Int? {
    codeSite?.line ?? place.map { $0.source.position(of: $0.range.lowerBound).line }
  }
  /// In characters, from 1; nil for a line of code.
  package var column: Int? {
    guard codeSite == nil else { return nil }
    return place.map { $0.source.position(of: $0.range.lowerBound).column }
  }
  /// In characters, counted on the first line only.
  package var length: Int? {
    guard codeSite == nil else { return nil }
    return place.map { place in
      let line = place.source.lineRange(around: place.range.lowerBound)
      let end = min(max(line.upperBound, place.range.lowerBound), place.range.upperBound)
      return place.source.characterCount(place.range.lowerBound..<end)
    }
  }
  /// The JSON pointer of the key or value.
  package var path: String? { place?.path }
}

/// The messages about a chain and its files, in the order of the text.
package struct Diagnostics: Sendable, Equatable {
  /// Further messages are counted but not kept.
  package static let limit = 1000

  package private(set) var all: [Diagnostic] = []
  package private(set) var errorCount = 0
  package private(set) var warningCount = 0
  /// Files in the order in which they were read.
  private var files: [String: Int] = [:]

  package init(_ all: [Diagnostic] = []) {
    for diagnostic in all { add(diagnostic) }
  }

  /// True if further messages are only counted.
  package var isFull: Bool { all.count >= Self.limit }

  package var hasErrors: Bool { errorCount > 0 }
  package var isEmpty: Bool { errorCount == 0 && all.isEmpty }
  package var codes: [DiagnosticCode] { all.map(\.code) }

  package mutating func add(_ diagnostic: Diagnostic) {
    switch diagnostic.severity {
    case .error: errorCount += 1
    case .warning: warningCount += 1
    case .note: break
    }
    if let file = diagnostic.place?.source.path ?? diagnostic.origin, files[file] == nil {
      files[file] = files.count
    }
    if all.count < Self.limit { all.append(diagnostic) }
  }

  package mutating func add(contentsOf other: Diagnostics) {
    for diagnostic in other.all { add(diagnostic) }
    errorCount += other.errorCount - other.all.count { $0.severity == .error }
    warningCount += other.warningCount - other.all.count { $0.severity == .warning }
  }

  /// Sorted by file and position; messages about the command line come last, duplicates are
  /// removed.
  package func sorted() -> Diagnostics {
    let ranked = all.enumerated().map { index, diagnostic in
      (
        file: diagnostic.place.flatMap { files[$0.source.path] } ?? Int.max,
        offset: diagnostic.place?.range.lowerBound ?? 0, index: index
      )
    }
    let order = ranked.sorted { ($0.file, $0.offset, $0.index) < ($1.file, $1.offset, $1.index) }
    var sorted = self
    sorted.all = []
    for (_, _, index) in order {
      if sorted.all.suffix(8).contains(all[index]) {
        switch all[index].severity {
        case .error: sorted.errorCount -= 1
        case .warning: sorted.warningCount -= 1
        case .note: break
        }
      } else {
        sorted.all.append(all[index])
      }
    }
    return sorted
  }
}
