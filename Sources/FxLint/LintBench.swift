import CRealtime
import FxGoldens
import FxKit
import Glibc

/// Where a chain is rendered in one way after the other, several at a time, each in a process of its
/// own.
final class LintBench {
  /// One way to render.
  struct Job {
    var task: LintTask
    var environment: [String: String] = [:]
  }

  private let testCase: TestCase
  private let folder: String
  private let processCount: Int
  private let timeout: Double
  private let isStopped: @Sendable () -> Bool
  private var count = 0
  /// When the first render of the last ones ended.
  private var firstEnd = 0.0

  init(
    _ testCase: TestCase, processCount: Int, timeout: Double,
    isStopped: @escaping @Sendable () -> Bool
  ) throws(ChainFailure) {
    self.testCase = testCase
    self.processCount = max(processCount, 1)
    self.timeout = timeout
    self.isStopped = isStopped
    let place = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    var name = Array("\(place ?? "/tmp")/fxrun-lint-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw .noLintFolder(place ?? "/tmp") }
    folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { WholeFile.remove(folder) }

  /// A way to render, with a folder of its own.
  func job(_ variant: LintVariant = .plain) -> Job {
    count += 1
    let place = "\(folder)/\(count)"
    mkdir(place, 0o700)
    var job = Job(task: LintTask(testCase, folder: place))
    job.task.blockSize = variant.blockSize ?? testCase.blockSize
    job.environment = variant.environment
    return job
  }

  /// Renders in all ways. The outcomes are in the order of the jobs.
  func run(_ jobs: [Job]) throws(ChainFailure) -> [LintProcess.Outcome] {
    var waiting = Array(jobs.enumerated())[...]
    var running: [(index: Int, process: LintProcess)] = []
    var outcomes: [LintProcess.Outcome?] = jobs.map { _ in nil }
    while !waiting.isEmpty || !running.isEmpty {
      guard !isStopped() else {
        for (_, process) in running { process.end() }
        throw ChainFailure(.request, code: "interrupted", "the lint was stopped")
      }
      while running.count < processCount, let next = waiting.popFirst() {
        running.append(
          (next.offset, try LintProcess(next.element.task, environment: next.element.environment)))
      }
      usleep(3000)
      running.removeAll { entry in
        outcomes[entry.index] = entry.process.poll(timeout: timeout)
        guard outcomes[entry.index] != nil else { return false }
        if entry.index == 0 { firstEnd = fx_monotonic_seconds() }
        return true
      }
    }
    return outcomes.compactMap { $0 }
  }

  /// Waits until it is another second than any in which the first of the last renders ran: what is
  /// drawn from the clock is drawn from another one.
  func awaitAnotherSecond() {
    let left = firstEnd + 1.1 - fx_monotonic_seconds()
    if left > 0 { usleep(UInt32(left * 1e6)) }
  }
}
