import ArgumentParser
import FxAudio
import FxChain
import FxChecks
import FxKit
import Synchronization

/// Compares renders of chains with goldens that somebody has approved.
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Compare what chains render with golden sounds, and report what differs and where.",
    discussion: """
      A case is a file NAME.test.json beside its chain; { "version": 1 } is enough: NAME.json over \
      a test signal, compared with golden/NAME.wav. fxrun test --update writes the goldens, \
      after it has reported what changes. Each case is rendered in a process of its own.

      Exit status: 0 when every case passes; 7 when one differs or has no golden; else that of the \
      first that cannot be rendered (2 chain or case file, 3 plugin, 4 input or golden).
      """)

  @Argument(
    help: "Case files, and folders to be searched for NAME.test.json (default: this one).",
    completion: .file(extensions: ["json"]))
  var paths: [String] = []

  @Flag(help: "Replace the goldens that differ, after reporting what changes.")
  var update = false

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only cases whose name contains the word, or matches a pattern with * and ?; may be repeated.",
      valueName: "word"))
  var filter: [String] = []

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Skip cases whose name contains the word or matches the pattern; may be repeated.",
      valueName: "word"))
  var skip: [String] = []

  @Flag(help: "Stop at the first case that does not pass.")
  var failFast = false

  @Flag(help: "Print the names of the cases and render nothing.")
  var list = false

  @Flag(help: "With --list: print a key that changes with everything that the cases depend on.")
  var cacheKey = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Cases at a time (default: as many as there are processors).", valueName: "count"))
  var jobs: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds that a case may take.", valueName: "seconds"))
  var timeout: Double = 600

  @Flag(
    inversion: .prefixedNo,
    help: "Measure cases with a \"cost\" too, one after the other.")
  var cost = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Block size in frames, in place of the chains' and cases' own.", valueName: "frames"))
  var blockSize: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Threads that render a case; 1 where it is left out.", valueName: "n"))
  var threads: Int?

  @Option(
    help: ArgumentHelp("Write the results as JUnit XML.", valueName: "file"),
    completion: .file(extensions: ["xml"]))
  var junit: String?

  @Option(
    help: ArgumentHelp(
      "Write index.html into a folder and, for each case that differs, its sound and a page.",
      valueName: "folder"), completion: .directory)
  var output: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    var found: TestCases
    do throws(ChainFailure) {
      try check()
      found = try TestCases(paths: paths, filter: filter, skip: skip)
      if let blockSize { found.use(blockSize: blockSize) }
      if let threads { found.use(threads: threads) }
    } catch {
      throw FailureReport.report(error, asJSON: json)
    }
    if !json { found.warn() }
    if list || cacheKey {
      found.list(asJSON: json, withKey: cacheKey)
      guard found.broken.isEmpty else { throw ExitStatus.chain.exitCode }
      return
    }
    let stop = StopSignal()
    stop.hear()
    Interrupts.stop(with: stop)
    let report = TestReport(found, isUpdate: update, isJSON: json)
    let results = render(found.cases, stop, report)
    report.end(results, isStopped: stop.isStopped)
    try write(report, results, stop)
    if stop.isStopped { throw ExitStatus.interrupted.exitCode }
    let status = report.status(results)
    if status != .success { throw status.exitCode }
  }

  private func check() throws(ChainFailure) {
    guard timeout > 0, timeout <= 1e6, (1...256).contains(jobs ?? 1),
      (1...8192).contains(blockSize ?? 1), (1...64).contains(threads ?? 1)
    else {
      throw ChainFailure(
        .request, code: .usage,
        "--timeout is up to 1000000 seconds, --jobs 1 to 256, --block-size 1 to 8192, "
          + "and --threads 1 to 64")
    }
    if update, blockSize != nil {
      throw ChainFailure(
        .request, code: .usage,
        "--update makes goldens with the blocks that cases say; --block-size goes without it")
    }
    if update, output != nil || cost {
      throw ChainFailure(
        .request, code: .usage,
        "--update also stores the costs of goldens; leave out --output and --cost")
    }
    if cacheKey, !list {
      throw ChainFailure(.request, code: .usage, "--cache-key goes with --list")
    }
  }

  private func render(_ cases: [SuiteCase], _ stop: StopSignal, _ report: TestReport)
    -> [SuiteResult?]
  {
    guard !cases.isEmpty else { return [] }
    var suite = Suite(cases)
    suite.jobs = jobs ?? Suite.processorCount
    suite.failsFast = failFast
    suite.artifacts = output
    suite.measuresCost = cost
    suite.process.timeout = timeout
    var observer = Suite.Observer()
    observer.isStopped = { stop.isStopped }
    observer.report = { report.report($0, $1) }
    observer.progress = { report.progress($0, $1, $2) }
    return update ? suite.update(observer) : suite.check(observer)
  }

  private func write(_ report: TestReport, _ results: [SuiteResult?], _ stop: StopSignal) throws {
    do throws(ChainFailure) {
      if let junit {
        try WholeFile.write(
          report.junit(results), to: junit, isStopped: { stop.isStopped })
      }
      if let output { try report.page(results, folder: output).write() }
    } catch {
      if error.code == FailureCode.interrupted.rawValue { throw ExitStatus.interrupted.exitCode }
      throw FailureReport.report(error, asJSON: json)
    }
  }
}
