import FxChecks
import FxKit

/// Compares a rendering with a golden, or records it as one.
struct GoldenCheck {
  enum Outcome {
    case same
    /// The golden was written; a sentence that reports it.
    case recorded(String)
    case failed(Failure)
  }

  struct Failure {
    var message: String
    /// nil if there are no sounds or figures to show.
    var verdict: CaseVerdict?
  }

  let outcome: Outcome

  init(_ rendering: Rendering, _ golden: Golden, mode: RecordingMode = .current) {
    outcome = Self.outcome(rendering, golden, mode)
    switch outcome {
    case .same: golden.note("")
    case .recorded(let words): golden.note(words)
    case .failed(let failure): golden.note(failure.message)
    }
  }

  private static func outcome(
    _ rendering: Rendering, _ golden: Golden, _ mode: RecordingMode
  ) -> Outcome {
    guard golden.hasGoodName else {
      return .failed(
        Failure(message: "'\(golden.name)' cannot be a golden's name: it is no file name"))
    }
    let testCase = rendering.testCase(for: golden)
    switch mode {
    case .unknown(let text):
      return .failed(
        Failure(
          message:
            "\(RecordingMode.variable)='\(text)' says nothing: it is 1 or all for all goldens, "
            + "missing for those that are not there, and not set in normal tests"))
    case .off: break
    case .missing where WholeFile.exists(testCase.manifestPath): break
    case .missing, .all:
      do throws(ChainFailure) {
        return try GoldenRecorder.shared.record(testCase, rendering).map(Outcome.recorded) ?? .same
      } catch {
        return .failed(
          Failure(message: "the golden '\(golden.name)' cannot be recorded: \(error.message)"))
      }
    }
    let verdict = CaseRun.verdict(of: testCase, rendering: rendering.rendered)
    switch verdict.outcome {
    case .passed: return .same
    case .new: return .failed(Failure(message: missing(golden, testCase), verdict: verdict))
    case .failed(let failure): return .failed(Failure(message: failure.message))
    case .differs:
      let first = "\(rendering.chainName) does not sound like its golden '\(golden.name)'"
      let lines = [first] + verdict.details(testCase.tolerance)
      return .failed(Failure(message: lines.joined(separator: "\n"), verdict: verdict))
    }
  }

  private static func missing(_ golden: Golden, _ testCase: TestCase) -> String {
    "there is no golden '\(golden.name)' yet (\(testCase.manifestPath)): listen to the rendered sound, and "
      + "record it with \(RecordingMode.variable)=missing swift test"
  }
}

extension Rendering {
  /// The case of the rendering with a golden.
  func testCase(for golden: Golden) -> TestCase {
    var testCase = testCase
    testCase.name = golden.name
    testCase.expectation = .sound(golden.path)
    testCase.tolerance = golden.tolerance.limits
    return testCase
  }
}
