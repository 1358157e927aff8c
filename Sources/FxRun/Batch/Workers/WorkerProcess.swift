import CRealtime
import FxAudio
import FxChain
import FxChecks
import FxKit
import Glibc

/// The supervisor's view of a worker. Only one thread may use it.
final class WorkerProcess {
  /// The number of files that it has rendered.
  private(set) var count = 0
  private let link: WorkerLink
  private let child: ChildProcess
  private let messages: UnnamedFile

  enum Outcome {
    case answer(WorkerAnswer)
    /// The process has ended.
    case ended(ChainFailure)
    /// The answer is no longer wanted; the process has ended.
    case abandoned
  }

  init(_ options: String) throws(Failure) {
    guard let (link, descriptor) = WorkerLink.pair() else {
      throw Failure(.noProcess, Failure.systemMessage(errno))
    }
    defer { close(descriptor) }
    self.link = link
    messages = try UnnamedFile()
    child = try ChildTask(.batch, request: Array(options.utf8)).start(
      channel: descriptor, messages: messages)
  }

  /// Renders a file.
  ///
  /// - Parameters:
  ///   - timeout: seconds; a worker that takes longer is killed.
  ///   - kindOfTimeout: the kind of failure for a timeout.
  ///   - isUnwanted: polled; true kills the worker.
  func perform(
    _ task: WorkerTask, timeout: Double, kindOfTimeout: () -> ChainFailure.Kind,
    isUnwanted: () -> Bool
  ) -> Outcome {
    let start = fx_monotonic_seconds()
    count += 1
    var line: [UInt8]?
    if link.send(task.json.text(indented: false)) {
      while true {
        line = link.receive(milliseconds: 100)
        if line != nil || link.hasEnded || child.end != nil { break }
        if isUnwanted() {
          _ = child.kill()
          return .abandoned
        }
        if fx_monotonic_seconds() - start >= timeout {
          _ = child.kill()
          return .ended(
            ChainFailure(
              kindOfTimeout(), code: .timeout,
              "it did not end within \(shortNumber(timeout)) s; --timeout gives it longer"))
        }
      }
    }
    // An answer may arrive between the last poll and the end of the process.
    line = line ?? link.receive(milliseconds: 0)
    let answer = line.flatMap {
      decoded($0) { value throws(Failure) in try WorkerAnswer(value) }
    }
    if let answer {
      return .answer(cleanUpWarning().map { answer.warned(by: [$0]) } ?? answer)
    }
    return .ended(failure(after: line ?? [], child.wait(seconds: 5) ?? child.kill()))
  }

  /// True when it has ended after its last answer, so that it cannot render another file.
  private(set) var hasEnded = false

  /// Waits until the plugins of a rendered file are cleaned up. Returns a sentence if one of them
  /// ends the process.
  private func cleanUpWarning() -> String? {
    let limit = fx_monotonic_seconds() + 10
    var report: [UInt8]?
    while report == nil, fx_monotonic_seconds() < limit {
      report = link.receive(milliseconds: 100)
      if let report, report == Array(BatchWorker.cleanedUp.utf8) { return nil }
      if link.hasEnded || child.end != nil { break }
    }
    hasEnded = true
    let isLate = report == nil && !link.hasEnded && child.end == nil
    let end = isLate ? child.kill() : child.wait(seconds: 5) ?? child.kill()
    let what =
      isLate ? "a plugin did not come to its end" : failure(after: report ?? [], end).message
    return "\(what) while it was cleaned up; what was rendered is complete"
  }

  /// Lets the process end by itself when it has no more jobs.
  func finish() {
    shutdown(link.descriptor, Int32(SHUT_WR))
    if child.wait(seconds: 5) == nil { _ = child.kill() }
  }

  private func failure(after line: [UInt8], _ end: ChildProcess.End) -> ChainFailure {
    // The report of a crashed plugin.
    let failure = decoded(line + [0x0A] + link.rest()) { value throws(Failure) in
      try ChainFailure(value["error"])
    }
    if let failure { return failure }
    if end == .signal(SIGKILL) {
      return ChainFailure(
        .internalError, code: .killed,
        "its process was killed from outside (SIGKILL), as the system does where memory runs out")
    }
    let words = messages.text(last: 2000).split(separator: "\n").last.map { " (\($0))" } ?? ""
    return ChainFailure(
      .internalError, code: .crashed, "its process crashed: \(end.description)\(words)")
  }
}
