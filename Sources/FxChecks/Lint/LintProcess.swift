import CRealtime
import FxAudio
import FxChain
import FxKit

/// A process that renders for a lint.
struct LintProcess {
  /// The outcome of the process.
  enum Outcome {
    case result(LintResult)
    /// It ended without a result: how, and its last message.
    case ended(String)
  }

  let task: LintTask
  private let child: ChildProcess
  private let answer: UnnamedFile
  private let messages: UnnamedFile
  private let started: Double

  /// Longer answers are cut off.
  private static let answerLimit = 1 << 26
  private static let messageLimit = 8000

  /// Starts fxrun for a task whose folder exists.
  ///
  /// - Parameter environment: variables in addition to this process's own.
  init(_ task: LintTask, environment: [String: String]) throws(ChainFailure) {
    self.task = task
    started = fx_monotonic_seconds()
    do throws(Failure) {
      answer = try UnnamedFile()
      messages = try UnnamedFile()
      let request = Array(task.json.text(indented: false).utf8)
      child = try ChildTask(.lint, request: request, environment: environment).start(
        channel: answer.descriptor, messages: messages)
    } catch {
      throw ChainFailure(.internalError, code: .noProcess, error.message)
    }
  }

  /// The outcome after the process has ended; nil before.
  func poll(timeout: Double) -> Outcome? {
    if let end = child.end { return outcome(end) }
    guard fx_monotonic_seconds() - started > timeout else { return nil }
    self.end()
    return .ended("it did not end within \(Int(min(timeout, 1e6))) s")
  }

  /// Kills the process.
  func end() { _ = child.kill() }

  private func outcome(_ end: ChildProcess.End) -> Outcome {
    if end == .status(0), var result = Self.result(answer.bytes(limit: Self.answerLimit)) {
      result.warnings = ProcessWarnings.found(in: messages.text(last: Self.messageLimit))
      return .result(result)
    }
    let lines = messages.text(last: Self.messageLimit).split(separator: "\n")
    // fxrun's report of a crash comes first, then its hints.
    if let error = lines.last(where: { $0.hasPrefix("error: ") }) {
      return .ended(String(error.dropFirst(7)))
    }
    let last = lines.last { $0.contains { !$0.isWhitespace } }
    return .ended(
      "its process ended: \(end.description)" + (last.map { " (\($0))" } ?? ""))
  }

  private static func result(_ bytes: [UInt8]) -> LintResult? {
    decoded(bytes) { value throws(Failure) in try LintResult(value) }
  }
}

extension ChainFailure {
  static func noLintFolder(_ path: String) -> ChainFailure {
    ChainFailure(
      .output, code: .unwritable, "\(path): cannot be written; TMPDIR names another place",
      path: path)
  }
}
