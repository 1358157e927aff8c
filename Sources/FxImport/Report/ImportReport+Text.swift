import FxAudio
package import FxChain

extension ImportReport {
  /// The summary, then a line for each part that is not translated. Keys of one object that follow each other and
  /// have the same outcome share a line.
  package var text: String {
    let words = [ImportOutcome.translated, .approximated(""), .notPossible("")].map(\.word)
    let counts = words.map { word in "\(count { $0.word == word }) \(word)" }
    let summary =
      "\(ForeignText.visible(path)): \(format.name): \(counts.joined(separator: ", "))"
    let lines = groups.map { group in
      let part = group[0]
      let name = group.count == 1 ? part.name : "\(Self.parent(of: group)) (\(group.count) keys)"
      return "\(ForeignText.visible(path)):\(part.line): \(ForeignText.visible(name)): "
        + "\(part.outcome.word): \(ForeignText.visible(part.outcome.text ?? ""))"
    }
    return ([summary] + lines).joined(separator: "\n")
  }

  /// The parts that are not translated; parts that share a line stand together.
  private var groups: [[Part]] {
    var groups: [[Part]] = []
    for part in parts where !part.outcome.isTranslated {
      if let last = groups.last, last[0].outcome == part.outcome,
        !Self.parent(of: last + [part]).isEmpty
      {
        groups[groups.count - 1].append(part)
      } else {
        groups.append([part])
      }
    }
    return groups
  }

  /// The names with which all parts begin: `output.reverb#0`.
  private static func parent(of parts: [Part]) -> String {
    var common = parts[0].name.split(separator: ".").dropLast()[...]
    for part in parts {
      common = common.prefix(
        zip(common, part.name.split(separator: ".")).prefix { $0 == $1 }.count)
    }
    return common.joined(separator: ".")
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
