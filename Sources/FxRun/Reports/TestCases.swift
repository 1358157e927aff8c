import FxAudio
import FxChain
import FxChecks
import FxKit

/// The cases of a run, and the case files with mistakes.
struct TestCases {
  private(set) var cases: [SuiteCase]
  let broken: [CaseFile]
  private let warnings: Diagnostics

  /// - Parameters:
  ///   - filter: a case's name must match one of these words; empty for all cases.
  ///   - skip: a case's name must match none of these words.
  init(paths: [String], filter: [String], skip: [String]) throws(ChainFailure) {
    let files = try CaseSearch.files(in: paths).map(CaseFile.init)
    let all = SuiteCase.all(of: files)
    cases = all.filter { $0.matches(filter) && (skip.isEmpty || !$0.matches(skip)) }
    broken = files.filter(\.diagnostics.hasErrors)
    var warnings = Diagnostics()
    for file in files where !file.diagnostics.hasErrors {
      warnings.add(contentsOf: file.diagnostics)
    }
    self.warnings = warnings
    guard cases.isEmpty, broken.isEmpty else { return }
    let names = all.prefix(20).map(\.label).joined(separator: ", ")
    let wanted = filter.map { "'\($0)'" }.joined(separator: " or ")
    throw ChainFailure(
      .request, code: .noCases,
      (skip.isEmpty ? "no case has a name like \(wanted); " : "--filter and --skip leave no case; ")
        + (all.isEmpty ? "there are none" : "there are \(names)\(all.count > 20 ? ", …" : "")"))
  }

  /// Sets the block size of every case.
  mutating func use(blockSize: Int) {
    for index in cases.indices { cases[index].testCase.blockSize = blockSize }
  }

  /// Sets the number of render threads of every case.
  mutating func use(threads: Int) {
    for index in cases.indices { cases[index].testCase.threads = threads }
  }

  func warn() { FailureReport.warn(warnings) }

  /// Case files that cannot be read, as failed cases.
  var failures: [(SuiteCase, SuiteResult)] {
    broken.map { file in
      let testCase = TestCase(
        name: file.path, file: file.path, chain: file.path, expectation: .manifest(file.path))
      return (
        SuiteCase(label: file.path, testCase: testCase),
        SuiteResult(
          verdict: CaseVerdict(
            name: file.path, outcome: .failed(ChainFailure(file.diagnostics))))
      )
    }
  }

  var diagnostics: Diagnostics {
    var all = warnings
    for file in broken { all.add(contentsOf: file.diagnostics) }
    return all
  }

  // MARK: Listing

  func list(asJSON: Bool, withKey: Bool) {
    let key = withKey ? CacheKey.key(of: cases) : nil
    if asJSON {
      Output.json(
        .members([
          "cacheKey": key.map { .string($0) }, "cases": .array(cases.map(Self.json)),
          "diagnostics": diagnostics.isEmpty ? nil : .array(diagnostics.all.map(\.json)),
        ]))
      return
    }
    if !broken.isEmpty {
      Output.error(
        Diagnostics(broken.flatMap(\.diagnostics.all))
          .text(isColored: Output.isColored(.error)))
    }
    if let key {
      Output.line(key)
    } else if !cases.isEmpty {
      Output.line(Text.lines(cases.map(\.label)))
    }
  }

  private static func json(_ suiteCase: SuiteCase) -> JSONOutput {
    let testCase = suiteCase.testCase
    return .members([
      "name": .string(suiteCase.label), "file": .string(testCase.file),
      "chain": .string(testCase.chain), "manifest": .string(testCase.manifestPath),
      "sound": testCase.soundPath(ofOutput: "main").map { .string($0) },
      "inputs": .object(
        testCase.inputs.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) }),
      "seconds": testCase.duration.map { .number($0) },
      "isExact": .bool(testCase.isExact),
      "cost": testCase.cost.map { .number($0.tolerance) },
      "hasGolden": .bool(WholeFile.exists(testCase.manifestPath)),
    ])
  }
}
