package import FxAudio
import FxChain
import FxChecks
package import FxKit

/// The reason why a file was not rendered.
package struct BatchFailure: Sendable, Equatable {
  package var kind: ChainFailure.Kind
  /// A stable code for programs.
  package var code: String
  package var message: String
  package var hints: [String] = []

  package init(_ kind: ChainFailure.Kind, code: FailureCode, _ message: String) {
    self.kind = kind
    self.code = code.rawValue
    self.message = message
  }

  init(_ failure: ChainFailure) {
    kind = failure.kind
    code = failure.code
    message = failure.message
    hints = failure.hints
  }

  /// The codes of failures that a later run may not have.
  private static let temporaryCodes: [FailureCode] = [.diskFull, .killed, .noProcess, .outOfMemory]

  /// True for a failure that a later run may not have.
  var isTemporary: Bool { Self.temporaryCodes.contains { $0.rawValue == code } }

  /// True if every other file would fail in the same way.
  var endsBatch: Bool {
    [FailureCode.diskFull, .noProcess].contains { $0.rawValue == code }
  }

  func json(exitStatus: Int32?) -> JSONOutput {
    .members([
      "kind": .string(kind.rawValue), "code": .string(code), "message": .string(message),
      "hints": hints.isEmpty ? nil : .array(hints.map { .string($0) }),
      "exitStatus": exitStatus.map { .integer(Int($0)) },
    ])
  }

  init(_ value: ManifestValue) throws(ManifestMistake) {
    kind = try value["kind"].word(ChainFailure.Kind.self)
    code = try value["code"].text
    message = try value["message"].text
    hints =
      try value.optional("hints")?.list { hint throws(ManifestMistake) in try hint.text } ?? []
  }
}
