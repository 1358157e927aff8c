/// What became of one part of a foreign configuration.
package enum ImportOutcome: Sendable, Equatable {
  /// The chain does the same. The text says how where it is not obvious.
  case translated(String?)
  /// The chain does something similar; the text says what, and how far it differs.
  case approximated(String)
  /// The chain does not do it; the text says why.
  case notPossible(String)

  package static let translated = translated(nil)

  /// The word of the report.
  package var word: String {
    switch self {
    case .translated: "translated"
    case .approximated: "approximated"
    case .notPossible: "not possible"
    }
  }

  package var text: String? {
    switch self {
    case .translated(let text): text
    case .approximated(let text), .notPossible(let text): text
    }
  }

  package var isTranslated: Bool {
    if case .translated = self { true } else { false }
  }
}
