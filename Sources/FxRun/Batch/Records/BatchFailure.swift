import FxAudio
import FxChain
import FxKit

/// The reason why a file of a batch was not rendered.
extension ChainFailure {
  /// The codes of failures that a later run may not have.
  private static let temporaryCodes: [FailureCode] = [
    .diskFull, .killed, .noProcess, .outOfMemory, .notMeasured,
  ]

  /// True for a failure that a later run may not have.
  var isTemporary: Bool { Self.temporaryCodes.contains { $0.rawValue == code } }

  /// True if every other file would fail in the same way.
  var endsBatch: Bool {
    [FailureCode.diskFull, .noProcess].contains { $0.rawValue == code }
  }

  /// The failure in a record, with the exit status of a single render.
  func record(exitStatus: Int32?) -> JSONOutput {
    .members([
      "kind": .string(kind.rawValue), "code": .string(code), "message": .string(message),
      "hints": hints.isEmpty ? nil : .array(hints.map { .string($0) }),
      "exitStatus": exitStatus.map { .integer(Int($0)) },
    ])
  }
}
