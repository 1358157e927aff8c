import CRealtime
import FxDiagnostics
import FxGoldens
import FxKit
import FxProcesses
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
    case ended(BatchFailure)
    /// The answer is no longer wanted; the process has ended.
    case abandoned
  }

  init(_ options: String) throws(ProcessError) {
    guard let (link, descriptor) = WorkerLink.pair() else {
      throw ProcessError(ProcessError.systemMessage(errno))
    }
    defer { close(descriptor) }
    self.link = link
    messages = try UnnamedFile()
    child = try ChildProcess(
      executable: try HostExecutable.path(), arguments: BatchWorker.arguments, memory: descriptor,
      errors: messages.descriptor)
    // If the process has already ended, the first job reports it.
    _ = link.send(options)
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
            BatchFailure(
              kindOfTimeout(), code: "timeout",
              "it did not end within \(shortNumber(timeout)) s; --timeout gives it longer"))
        }
      }
    }
    // An answer may arrive between the last poll and the end of the process.
    line = line ?? link.receive(milliseconds: 0)
    let answer = line.flatMap {
      decoded($0) { value throws(ManifestMistake) in try WorkerAnswer(value) }
    }
    if let answer { return .answer(answer) }
    return .ended(failure(after: line ?? [], child.wait(seconds: 5) ?? child.kill()))
  }

  /// Lets the process end by itself when it has no more jobs.
  func finish() {
    shutdown(link.descriptor, Int32(SHUT_WR))
    if child.wait(seconds: 5) == nil { _ = child.kill() }
  }

  private func failure(after line: [UInt8], _ end: ChildProcess.End) -> BatchFailure {
    // The report of a crashed plugin.
    let failure = decoded(line + [0x0A] + link.rest()) { value throws(ManifestMistake) in
      try BatchFailure(value["error"])
    }
    if let failure { return failure }
    if end == .signal(SIGKILL) {
      return BatchFailure(
        .internalError, code: "killed",
        "its process was killed from outside (SIGKILL), as the system does where memory runs out")
    }
    let words = messages.text(last: 2000).split(separator: "\n").last.map { " (\($0))" } ?? ""
    return BatchFailure(
      .internalError, code: "crashed", "its process crashed: \(end.description)\(words)")
  }
}
