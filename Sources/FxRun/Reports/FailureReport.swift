import ArgumentParser
import FxAudio
import FxChain
import FxKit
import Glibc

/// How a failure is reported, and the exit status for it.
enum FailureReport {
  /// Prints the failure, as JSON to `stream`, and returns the exit code to throw.
  static func report(
    _ failure: ChainFailure, asJSON: Bool, to stream: Output.Stream = .output,
    onOneLine: Bool = false
  ) -> ExitCode {
    let failure = blamed(failure)
    if asJSON {
      Output.data(json(failure).text(indented: !onOneLine), to: stream)
    } else if failure.details.isEmpty {
      Output.error("error: \(words(failure))")
    } else {
      Output.error(failure.details.text(isColored: Output.isColored(.error)))
    }
    return ExitStatus(failure.kind).exitCode
  }

  /// If a plugin closed a file descriptor of fxrun, blames the plugin for the failure.
  private static func blamed(_ failure: ChainFailure) -> ChainFailure {
    guard let reason = strerror(EBADF), failure.message.contains(String(cString: reason)),
      PluginHosting.hasLostFiles
    else { return failure }
    return ChainFailure(
      .plugin, code: .closedFiles,
      "a plugin has closed files of fxrun (\(failure.message))",
      hints: ["with \"isolated\": true a node runs in a process of its own"])
  }

  /// The message: a sentence on one line, or the lines of a chain's mistakes.
  static func words(_ failure: ChainFailure) -> String {
    guard failure.details.isEmpty else { return failure.message }
    return Text.lines([failure.message] + failure.hints.map { $0.isEmpty ? "" : "  \($0)" })
  }

  /// The message without the path at its beginning, which JSON has in a key of its own.
  static func message(_ failure: ChainFailure) -> String {
    guard let path = failure.path, failure.message.hasPrefix("\(path): ") else {
      return failure.message
    }
    return String(failure.message.dropFirst(path.count + 2))
  }

  static func json(_ failure: ChainFailure) -> JSONOutput {
    guard failure.details.isEmpty else { return failure.details.json }
    return error(
      failure.kind.rawValue, failure.code, message(failure), path: failure.path,
      hints: failure.hints, partials: failure.partials)
  }

  private static func error(
    _ kind: String, _ code: String, _ message: String, path: String? = nil, hints: [String] = [],
    partials: [String] = []
  ) -> JSONOutput {
    .members([
      "error": .members([
        "kind": .string(kind), "code": .string(code), "message": .string(message),
        "path": path.map { .string($0) },
        "hints": hints.isEmpty ? nil : .array(hints.map { .string($0) }),
        "partials": partials.isEmpty ? nil : .array(partials.map { .string($0) }),
      ])
    ])
  }

  /// Reports a signal that arrived before a render began. Prints nothing if a report is already
  /// half printed.
  static func reportInterrupt() {
    let message = "stopped before anything was rendered"
    if RawArguments.asksForJSON, !Output.hasBegun {
      Output.json(
        error("interrupted", FailureCode.interrupted.rawValue, message), to: RawArguments.wordStream
      )
    } else {
      Output.error(message)
    }
  }

  /// Prints the warnings and notes of a chain that can run; with `isQuiet` only the warnings.
  static func warn(_ diagnostics: Diagnostics, isQuiet: Bool = false) {
    let diagnostics =
      isQuiet ? Diagnostics(diagnostics.all.filter { $0.severity == .warning }) : diagnostics
    guard !diagnostics.isEmpty else { return }
    Output.error(diagnostics.text(isColored: Output.isColored(.error)))
  }
}
