import ArgumentParser
import FxChain
import FxKit

/// How a failure is told, and what the process ends with.
enum FailureReport {
  /// Prints the failure, as JSON to `stream`, and gives the exit code to throw.
  static func report(
    _ failure: ChainFailure, asJSON: Bool, to stream: Output.Stream = .output
  ) -> ExitCode {
    if asJSON {
      Output.json(json(failure), to: stream)
    } else if failure.details.isEmpty {
      Output.error("error: \(failure.message)")
    } else {
      Output.error(failure.details.text(isColored: Output.isColored(.error)))
    }
    return ExitStatus(failure.kind).exitCode
  }

  private static func json(_ failure: ChainFailure) -> JSONOutput {
    guard failure.details.isEmpty else { return failure.details.json }
    return .members([
      "error": .members([
        "kind": .string(failure.kind.rawValue), "code": .string(failure.code),
        "message": .string(failure.message), "path": failure.path.map { .string($0) },
      ])
    ])
  }

  /// Warnings and notes of a chain that runs all the same.
  static func warn(_ diagnostics: Diagnostics) {
    guard !diagnostics.isEmpty else { return }
    Output.error(diagnostics.text(isColored: Output.isColored(.error)))
  }
}
