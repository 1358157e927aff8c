package import FxChain
import FxKit

extension CaseVerdict.Outcome {
  /// `passed`, `new`, `differs`, `failed`.
  package var name: String {
    switch self {
    case .passed: "passed"
    case .new: "new"
    case .differs: "differs"
    case .failed: "failed"
    }
  }
}

extension CaseVerdict {
  /// The verdict for programs, without its sounds.
  package var json: JSONOutput { json(comparison: \.json) }

  /// The verdict with exact numbers, for another fxrun process.
  package var record: JSONOutput { json(comparison: \.record) }

  private func json(comparison: (Comparison) -> JSONOutput) -> JSONOutput {
    var failure: ChainFailure?
    if case .failed(let reason) = outcome { failure = reason }
    return .members([
      "name": .string(name),
      "outcome": .string(outcome.name),
      "failure": failure?.json,
      "seconds": .number(seconds),
      "environment": Self.list(environment, \.json),
      "outputs": Self.list(outputs) {
        .members([
          "name": .string($0.name), "isSame": .bool($0.isSame),
          "isWithinTolerance": .bool($0.isWithinTolerance),
          "comparison": $0.comparison.map(comparison),
        ])
      },
      "divergences": Self.list(divergences, \.json),
      "slowdowns": Self.list(slowdowns) {
        .members([
          "node": $0.node.map { .string($0) }, "then": .number($0.then), "now": .number($0.now),
        ])
      },
      "warnings": .array(warnings.map { .string($0) }),
      "notes": .array(notes.map { .string($0) }),
    ])
  }

  /// nil for an empty list, which is left out.
  private static func list<Element>(
    _ elements: [Element], _ json: (Element) -> JSONOutput
  ) -> JSONOutput? {
    elements.isEmpty ? nil : .array(elements.map(json))
  }
}

extension CaseVerdict.EnvironmentChange {
  var json: JSONOutput {
    .members([
      "kind": .string(kind.rawValue), "node": node.map { .string($0) },
      "message": .string(message),
    ])
  }
}

extension CaseVerdict.Divergence {
  var json: JSONOutput {
    .members([
      "place": .string(place.rawValue), "node": .string(node), "unit": .string(unit),
      "frame": .integer(frame), "levelThen": levelThen.map(JSONOutput.level),
      "levelNow": levelNow.map(JSONOutput.level),
    ])
  }
}
