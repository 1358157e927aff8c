import ArgumentParser
import FxAudio
import FxChain
import FxChecks
import FxKit
import Glibc

/// Finds problems of chains by rendering them.
struct LintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Render a chain in several ways and report what is questionable.",
    discussion: """
      fxrun lint chain.json input.wav lints one chain over a file, fxrun lint chains/*.json several \
      over a signal with something of everything in it.

      Each render runs in a process of its own: again, twice in one process, in other blocks, with \
      other bytes in memory that nobody has written. What differs is named, with its node and by how \
      much. Levels, latencies and tails are measured as well. docs/lint.md says what each finding \
      means.

      Exit status: 0 without warnings, \(ExitStatus.differs.rawValue) with one or more; notes do not \
      count.
      """)

  @Argument(
    help: "Chain files, and at most one sound file for their main input.",
    completion: .file())
  var files: [String]

  @Option(
    name: .customLong("input"),
    help: ArgumentHelp(
      "Feed an input of the chains from a file; may be repeated. 'main' is the main one.",
      valueName: "name=file"), completion: .words(.inputFiles))
  var inputs: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Give one of the chains' variables a value; may be repeated.", valueName: "name=value"),
    completion: .words(.variables))
  var define: [String] = []

  @OptionGroup var setting: SettingArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Render this much: seconds or m:ss (default: 5 s of the signal, 30 s of files).",
      valueName: "time"))
  var duration: TimeArgument?

  @OptionGroup var stream: StreamArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Block size in frames, in place of the chain's own.", valueName: "frames"))
  var blockSize: Int?

  @Flag(help: "Check the chains as if they were played live.")
  var live = false

  @Option(
    help: ArgumentHelp("Ignore findings of this code; may be repeated.", valueName: "code"),
    completion: .list(DiagnosticCode.lintFindings))
  var ignore: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds that one render may take.", valueName: "seconds"))
  var timeout: Double = 120

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Processes at a time (default: as many as there are processors).", valueName: "count"))
  var jobs: Int?

  @Flag(help: "Print the findings as JSON, for editors and CI.")
  var json = false

  /// The arguments that are chain files, without the case files and goldens that a shell pattern
  /// also matches. If only such files are given, all of them.
  private var chains: [String] {
    let named = files.filter(Self.isChain).filter { file in
      ![".test.json", ".golden.json"].contains { file.lowercased().hasSuffix($0) }
    }
    return named.isEmpty ? files : named
  }

  /// The other arguments.
  private var sounds: [String] {
    let chains = Set(chains)
    return files.filter { !chains.contains($0) && !Self.isChain($0) }
  }

  private static func isChain(_ file: String) -> Bool {
    file.lowercased().hasSuffix(".json") || file == Chain.empty.path
      || ShippedChains.installed.means(file)
  }

  func validate() throws {
    guard sounds.count <= 1 else {
      throw ValidationError(
        "'\(sounds[1])' is one file too many: the main input has \(sounds[0])")
    }
    guard !sounds.contains("-"), !inputs.contains(where: { $0.hasSuffix("=-") }) else {
      throw ValidationError("a lint reads its inputs several times, which standard input cannot be")
    }
    guard timeout > 0, timeout <= 3600, (1...64).contains(jobs ?? 1) else {
      throw ValidationError(
        "--timeout must be above 0 and at most 3600 seconds, and --jobs 1 to 64")
    }
    guard ChainFormat.blockSizes.contains(blockSize ?? 1) else {
      throw ValidationError("--block-size must be 1 to 8192 frames")
    }
    guard (duration?.seconds ?? 1) > 0, (duration?.seconds ?? 1) <= 3600 else {
      throw ValidationError("--duration must be above 0 and at most an hour")
    }
    for code in ignore where DiagnosticCode(rawValue: code) == nil {
      let hint =
        Suggestion.hint(for: code, in: DiagnosticCode.lintFindings).first.map { "; \($0)" } ?? ""
      throw ValidationError("--ignore: there is no finding '\(code)'\(hint)")
    }
  }

  func run() throws {
    let stop = StopSignal()
    stop.hear()
    Interrupts.stop(with: stop)
    var results: [LintedChain] = []
    for chain in chains {
      let result: LintedChain
      do throws(ChainFailure) {
        var lint = try lint(chain)
        lint.isStopped = { stop.isStopped }
        result = LintedChain(chain: chain, report: try lint.report())
      } catch {
        if stop.isStopped { throw ExitStatus.interrupted.exitCode }
        result = LintedChain(chain: chain, failure: error)
      }
      results.append(result)
      if !json { result.report(isAlone: chains.count == 1) }
    }
    if json { Output.json(.members(["chains": .array(results.map(\.json))])) }
    if let failure = results.lazy.compactMap(\.failure).first {
      throw ExitStatus(failure.kind).exitCode
    }
    if results.contains(where: \.hasWarnings) { throw ExitStatus.differs.exitCode }
  }

  private func lint(_ chain: String) throws(ChainFailure) -> Lint {
    if let mistake = ShippedChains.installed.mistake(chain) { throw mistake }
    let file = ShippedChains.installed.file(chain)
    var testCase = TestCase(name: chain, file: file, chain: file, expectation: .manifest(""))
    testCase.variables = try Pair.dictionary(define, option: "--define")
    testCase.settings = try setting.settings()
    testCase.scene = setting.scene
    for (name, file) in try Pair.dictionary(inputs, option: "--input") {
      testCase.inputs[name] = .file(file)
    }
    if let sound = sounds.first {
      guard testCase.inputs["main"] == nil else {
        throw ChainFailure(
          .request, code: .usage, "the main input is given twice: \(sound) and --input")
      }
      testCase.inputs["main"] = .file(sound)
    }
    testCase.duration = duration?.seconds ?? (testCase.inputs.isEmpty ? 5 : 30)
    testCase.sampleRate = stream.sampleRate
    testCase.channels = stream.width
    testCase.blockSize = blockSize
    var lint = Lint(testCase)
    lint.isLive = live
    lint.ignored = Set(ignore)
    lint.timeout = timeout
    lint.processCount = jobs ?? max(1, min(64, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    return lint
  }
}

extension DiagnosticCode {
  /// The codes that a lint can report.
  fileprivate static var lintFindings: [String] {
    allCases.filter { $0.isLint || $0 == .notRealtime }.map(\.rawValue)
  }
}
