import CRealtime
import FxAudio
import FxKit
import Glibc

/// Renders a chain in several variants, several at the same time, each in its own process.
final class LintBench {
  /// A variant of rendering.
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
  /// The time when the first job of the last `run` ended.
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

  /// A job for a variant, with its own folder.
  func job(_ variant: LintVariant = .plain) -> Job {
    count += 1
    let place = "\(folder)/\(count)"
    mkdir(place, 0o700)
    var job = Job(task: LintTask(testCase, folder: place))
    job.task.blockSize = variant.blockSize ?? testCase.blockSize
    job.environment = variant.environment
    return job
  }

  /// Renders all jobs. The outcomes have the order of the jobs.
  func run(_ jobs: [Job]) throws(ChainFailure) -> [LintProcess.Outcome] {
    var waiting = Array(jobs.enumerated())[...]
    var running: [(index: Int, process: LintProcess)] = []
    var outcomes: [LintProcess.Outcome?] = jobs.map { _ in nil }
    while !waiting.isEmpty || !running.isEmpty {
      guard !isStopped() else {
        for (_, process) in running { process.end() }
        throw ChainFailure(.request, code: .interrupted, "the lint was stopped")
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

  /// Waits until the clock shows another second than during the first job of the last `run`. A
  /// plugin that takes a random seed from the clock then gets a different one.
  func awaitAnotherSecond() {
    let left = firstEnd + 1.1 - fx_monotonic_seconds()
    if left > 0 { usleep(UInt32(left * 1e6)) }
  }
}
