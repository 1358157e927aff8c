import CRealtime
import FxAudio
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

/// The process that renders a case.
package enum CaseHost {
  /// The command that starts such a process.
  package static let command = "test-case"

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

  /// The arguments after the command.
  static func arguments(_ task: Task, _ testCase: TestCase) -> [String] {
    let words =
      switch task {
      case .check(nil): ["check", "", ""]
      case .check(let artifacts?): ["check", artifacts.folder, artifacts.name]
      case .record(let folder, let fill, let signals):
        ["record-\(signals.rawValue)", folder, String(fill)]
      case .replace(let folder): ["replace", folder, ""]
      case .cost: ["cost", "", ""]
      case .exercise: ["exercise", "", ""]
      }
    // The caller may use another block size than the file.
    let blockSize = testCase.blockSize.map { String($0) } ?? ""
    return [command, String(getpid())] + words + [
      testCase.file, testCase.name, blockSize, String(testCase.threads),
      testCase.sharesGolden ? "shared" : "own",
    ]
  }

  private static func task(_ words: ArraySlice<String>) -> Task? {
    let words = Array(words)
    guard words.count == 3 else { return nil }
    switch words[0] {
    case "check":
      return .check(
        artifacts: words[1].isEmpty ? nil : Artifacts(folder: words[1], name: words[2]))
    case "replace": return .replace(folder: words[1])
    case "cost": return .cost
    case "exercise": return .exercise
    default:
      let signals = words[0].split(separator: "-").last.flatMap { Int($0) }
      guard words[0].hasPrefix("record-"), let fill = Int(words[2]),
        let known = signals.flatMap(DefaultSignals.init)
      else { return nil }
      return .record(folder: words[1], fill: fill, signals: known)
    }
  }

  /// The body of `fxrun test-case`; `arguments` follow the command.
  package static func main(_ arguments: [String], page: any VerdictPage.Type) -> Never {
    let answer = Int32(FX_CHILD_MEMORY)
    fx_process_ignore_signals()
    guard arguments.count == 9, let parent = Int32(arguments[0]), let task = task(arguments[1...3]),
      fcntl(answer, F_SETFD, FD_CLOEXEC) == 0
    else {
      _ = UnnamedFile.write("this command is for fxrun's own use\n", to: STDERR_FILENO)
      _exit(64)
    }
    fx_process_follow(parent)
    // The answer is written to the file that held the question.
    let text = UnnamedFile.bytes(answer)
    ftruncate(answer, 0)
    PluginHosting.begin(exitStatus: 3)
    PluginHosting.reportCrashesAsJSON(to: answer)
    if case .record(_, let fill, _) = task { fx_process_fill_heap(Int32(clamping: fill)) }
    let verdict = verdict(
      task, CaseFile(bytes: text, path: arguments[4]), name: arguments[5],
      blockSize: Int(arguments[6]), threads: Int(arguments[7]) ?? 1,
      sharesGolden: arguments[8] == "shared", page: page)
    _ = UnnamedFile.write(verdict.record.text(indented: false), to: answer)
    // A plugin that crashes now is a warning. Exit handlers are skipped: what libraries do at
    // process exit does not belong to the case.
    PluginHosting.end(exitStatus: 0)
    _exit(0)
  }

  private static func verdict(
    _ task: Task, _ file: CaseFile, name: String, blockSize: Int?, threads: Int,
    sharesGolden: Bool, page: any VerdictPage.Type
  ) -> CaseVerdict {
    guard var testCase = file.cases.first(where: { $0.name == name }) else {
      return CaseVerdict(
        name: name,
        outcome: .failed(
          ChainFailure(
            .internalError, code: .noCase, "its process was not handed the case '\(name)'")))
    }
    testCase.sharesGolden = sharesGolden
    testCase.blockSize = blockSize
    testCase.threads = threads
    do throws(ChainFailure) {
      return try verdict(task, testCase, page)
    } catch {
      return CaseVerdict(name: name, outcome: .failed(error))
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
