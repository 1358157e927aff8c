package import FxChain

/// What became of every part of a foreign configuration: one entry for each key or line.
package struct ImportReport: Sendable {
  /// A key or a line of the configuration.
  package struct Part: Sendable, Equatable {
    /// The line in the file, from 1.
    package let line: Int
    /// The name of the part: `filters.bass.parameters.q`, or the line's text.
    package let name: String
    package let outcome: ImportOutcome
  }

  package let format: ForeignFormat
  /// The file of the configuration, as the user wrote it.
  package let path: String
  package let parts: [Part]

  init(_ format: ForeignFormat, path: String, _ parts: [Part]) {
    self.format = format
    self.path = path
    self.parts = parts.enumerated()
      .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
  }

  package func count(_ isCounted: (ImportOutcome) -> Bool) -> Int {
    parts.count { isCounted($0.outcome) }
  }

  /// True if the chain does everything that the configuration says.
  package var isFaithful: Bool { parts.allSatisfy(\.outcome.isTranslated) }
}
