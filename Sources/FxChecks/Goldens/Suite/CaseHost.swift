import CRealtime
package import FxAudio
import FxChain
package import FxKit
import Glibc

/// Writes a page with a verdict and the fingerprints of the golden and of the render.
package protocol VerdictPage {
  static func write(
    _ verdict: CaseVerdict, of testCase: TestCase, then: NodeFingerprints, now: NodeFingerprints,
    to path: String
  ) throws(ChainFailure)
}

/// The process that renders a case. The request is a `CaseRequest`; the channel receives a
/// `CaseVerdict`.
package enum CaseHost {
  /// The work of the process.
  package enum Task: Sendable, Equatable {
    /// Renders the case and compares it with its golden. If it does not pass, writes the rendered
    /// sound and a report to `artifacts`.
    case check(artifacts: Artifacts?)
    /// Renders the case as a golden into a folder. New heap memory is filled with the byte `fill`.
    case record(folder: String, fill: Int, signals: DefaultSignals)
    /// Compares a golden in a folder with the sound files that it will replace.
    case replace(folder: String)
    /// Measures the case's cost.
    case cost
    /// Finds parts of the chain that the case does not exercise.
    case exercise
  }

  /// The place for the files of a case that does not pass.
  package struct Artifacts: Sendable, Equatable {
    package var folder: String
    package var name: String
  }

  package static func main(_ received: ReceivedTask, page: any VerdictPage.Type) -> Never {
    guard
      let request = decoded(
        received.request, { value throws(Failure) in try CaseRequest(value) })
    else { ReceivedTask.refuse("the task cannot be read") }
    let answer = ReceivedTask.channel
    PluginHosting.begin(exitStatus: 3)
    PluginHosting.reportCrashesAsJSON(to: answer)
    if case .record(_, let fill, _) = request.task { fx_process_fill_heap(Int32(clamping: fill)) }
    let verdict = verdict(request, page: page)
    _ = UnnamedFile.write(verdict.record.text(indented: false), to: answer)
    // A plugin that crashes now is a warning. Exit handlers are skipped: what libraries do at
    // process exit does not belong to the case.
    PluginHosting.end(exitStatus: 0)
    _exit(0)
  }

  private static func verdict(
    _ request: CaseRequest, page: any VerdictPage.Type
  ) -> CaseVerdict {
    do throws(ChainFailure) {
      return try verdict(request.task, request.testCase, page)
    } catch {
      return CaseVerdict(name: request.testCase.name, outcome: .failed(error))
    }
  }

  private static func verdict(
    _ task: Task, _ testCase: TestCase, _ page: any VerdictPage.Type
  ) throws(ChainFailure) -> CaseVerdict {
    var verdict = CaseVerdict(name: testCase.name, outcome: .passed)
    switch task {
    case .check(let artifacts):
      let testCase = testCase.hearingSignalsOfGolden
      verdict = CaseRun.verdict(of: testCase)
      if let artifacts, !verdict.passes {
        do throws(ChainFailure) {
          try artifacts.write(verdict, of: testCase, page)
        } catch {
          verdict.warnings.append(error.message)
        }
      }
    case .record(let folder, _, let signals):
      var testCase = testCase
      testCase.defaultSignals = signals
      let units = try CaseRun.record(testCase, into: folder).environment.units
      verdict.warnings = UnitIdentity.copies(
        ofPlugins: units.filter { !$0.bundles.isEmpty }.map(\.unit))
    case .replace(let folder): verdict = try CaseRun.replacements(of: testCase, by: folder)
    case .exercise: verdict.warnings = try Exercise(testCase).warnings
    case .cost: verdict = CaseRun.costVerdict(of: testCase.hearingSignalsOfGolden)
    }
    return verdict
  }
}

extension CaseHost.Artifacts {
  /// Writes the rendered sound as `NAME.actual.wav` with its manifest, and `NAME.html`.
  fileprivate func write(
    _ verdict: CaseVerdict, of testCase: TestCase, _ page: any VerdictPage.Type
  ) throws(ChainFailure) {
    if case .failed = verdict.outcome { return }
    var actual = testCase
    actual.expectation = .sound("\(folder)/\(name).actual.wav")
    actual.cost = nil
    try WholeFile.makeFolder(of: "\(folder)/\(name)")
    let recorded = try CaseRun.record(actual, into: folder)
    guard case .differs = verdict.outcome else { return }
    let then = try Manifest(contentsOfFile: testCase.manifestPath)
    try page.write(
      verdict, of: testCase, then: then.fingerprints, now: recorded.fingerprints,
      to: "\(folder)/\(name).html")
  }
}
