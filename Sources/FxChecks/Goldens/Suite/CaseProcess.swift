import CRealtime
import FxAudio
import FxChain
import FxKit
import Glibc

/// Starts a process for one task of a case and reads its answer.
package struct CaseProcess: Sendable {
  /// The program; nil for fxrun itself.
  package var host: String?
  /// The time limit in seconds.
  package var timeout = 600.0

  package init() {}

  /// The verdict of a case, even if the process fails or hangs; nil if it is no longer wanted.
  package func result(
    _ task: CaseHost.Task, _ testCase: TestCase, isUnwanted: () -> Bool
  ) -> SuiteResult? {
    let start = fx_monotonic_seconds()
    let (child, answer, words): (ChildProcess, UnnamedFile, UnnamedFile)
    do throws(Failure) {
      (answer, words) = (try UnnamedFile(), try UnnamedFile())
      let request = Array(CaseRequest(task, testCase).json.text(indented: false).utf8)
      child = try ChildTask(.testCase, request: request, host: host).start(
        channel: answer.descriptor, messages: words)
    } catch {
      return SuiteResult(
        verdict: Self.failed(testCase, .internalError, .noProcess, error.message))
    }
    var end: ChildProcess.End?
    repeat {
      end = child.wait(seconds: 0.05)
      if end == nil, isUnwanted() {
        _ = child.kill()
        return nil
      }
    } while end == nil && fx_monotonic_seconds() - start < timeout
    if end == nil {
      // A process with a plugin in `run` answers with the name of its node.
      child.abort()
      if child.wait(seconds: 2) == nil { _ = child.kill() }
    }
    var result = SuiteResult(
      verdict: verdict(of: testCase, end, answer.bytes(limit: Self.answerLimit)))
    result.words = words.text(last: Self.wordLimit)
    let known = result.verdict.warnings
    result.verdict.warnings += ProcessWarnings.found(in: result.words).filter {
      !known.contains($0)
    }
    result.seconds = fx_monotonic_seconds() - start
    return result
  }

  private func verdict(
    of testCase: TestCase, _ end: ChildProcess.End?, _ bytes: [UInt8]
  ) -> CaseVerdict {
    guard let end else {
      let node = Self.crash(bytes).flatMap { ProcessWarnings.subject(ofCrash: $0.message) }
      return Self.failed(
        testCase, .plugin, .timeout,
        "\(node ?? "it") did not end within \(shortNumber(timeout)) s; --timeout gives it longer")
    }
    if end == .status(0), let verdict = CaseVerdict(record: bytes), verdict.name == testCase.name {
      return verdict
    }
    if let failure = Self.crash(bytes) {
      return CaseVerdict(name: testCase.name, outcome: .failed(failure))
    }
    switch end {
    case .signal(let number):
      return Self.failed(
        testCase, .internalError, .crashed,
        number == SIGKILL
          ? "its process was killed from outside (SIGKILL), as is done where memory runs out"
          : "its process crashed: \(end.description)")
    default:
      return Self.failed(
        testCase, .internalError, .noVerdict,
        "its process came to no verdict: \(end.description)")
    }
  }

  /// The failure for a plugin that crashed the process.
  private static func crash(_ bytes: [UInt8]) -> ChainFailure? {
    decoded(bytes) { value throws(Failure) in try ChainFailure(value["error"]) }
  }

  private static func failed(
    _ testCase: TestCase, _ kind: ChainFailure.Kind, _ code: FailureCode, _ message: String
  ) -> CaseVerdict {
    CaseVerdict(
      name: testCase.name, outcome: .failed(ChainFailure(kind, code: code, message)))
  }

  /// Longer answers are cut off.
  private static let answerLimit = 1 << 26
  private static let wordLimit = 1 << 14
}
