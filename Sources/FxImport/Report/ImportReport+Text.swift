import FxAudio
package import FxChain

extension ImportReport {
  /// The summary, then a line for each part that is not translated.
  package var text: String {
    let words = [ImportOutcome.translated, .approximated(""), .notPossible("")].map(\.word)
    let counts = words.map { word in "\(count { $0.word == word }) \(word)" }
    let summary =
      "\(ForeignText.visible(path)): \(format.name): \(counts.joined(separator: ", "))"
    let lines = parts.filter { !$0.outcome.isTranslated }.map { part in
      "\(ForeignText.visible(path)):\(part.line): \(ForeignText.visible(part.name)): "
        + "\(part.outcome.word): \(ForeignText.visible(part.outcome.text ?? ""))"
    }
    return ([summary] + lines).joined(separator: "\n")
  }

  /// - Parameter chain: the name of the chain that was written; nil for standard output.
  package func json(chain: String?) -> JSONOutput {
    .members([
      "file": .string(path), "format": .string(format.rawValue),
      "chain": chain.map(JSONOutput.string),
      "parts": .array(
        parts.map { part in
          .members([
            "line": .integer(part.line), "part": .string(part.name),
            "outcome": .string(part.outcome.word), "text": part.outcome.text.map(JSONOutput.string),
          ])
        }),
    ])
  }
}
