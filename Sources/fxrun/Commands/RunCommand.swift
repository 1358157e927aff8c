import ArgumentParser
import FxChain
import FxKit
import FxLV2

/// The main job: a chain over its inputs, into a file or onto the sound card.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a chain over a file or live (the default: 'fxrun chain.json input.mp3').")

  @OptionGroup var file: ChainArguments

  @Argument(
    help: "The file for the chain's main input; - reads standard input.", completion: .file())
  var input: String?

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp(
      "Write the main output to this file: .wav, .flac, .aiff, .ogg …; - writes WAV to standard output.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    name: .customLong("input"),
    help: ArgumentHelp("Feed a named input of the chain; may be repeated.", valueName: "name=file"))
  var inputs: [String] = []

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "Write a named output of the chain; may be repeated.", valueName: "name=file"))
  var outputs: [String] = []

  @Option(
    help: ArgumentHelp(
      "Set a parameter before the start, as the chain would write it; may be repeated.",
      valueName: "node.parameter=value"))
  var set: [String] = []

  @Option(
    help: ArgumentHelp("Let a node pass its input on; may be repeated.", valueName: "node"))
  var bypass: [String] = []

  @Option(
    help: ArgumentHelp("Begin here in the input: seconds or m:ss.", valueName: "time"))
  var start: TimeArgument?

  @Option(
    help: ArgumentHelp("Take only so much of the input: seconds or m:ss.", valueName: "time"))
  var duration: TimeArgument?

  @Option(
    defaultAsFlag: LoopArgument.all,
    help: ArgumentHelp(
      "Play a part of the input over and over: from-to in seconds or m:ss, or all of it. Into a file with --duration.",
      valueName: "from-to"))
  var loop: LoopArgument?

  @Option(
    help: ArgumentHelp("Frames of a block: what LV2 plugins see. 1 to 8192.", valueName: "frames"))
  var blockSize: Int?

  @OptionGroup var live: LiveArguments

  @Option(
    help: ArgumentHelp(
      "Bits of a sample for -o: 16, 24 (default) or 32 (float).", valueName: "16|24|32"))
  var bits: Int?

  @Flag(name: .customLong("no-dither"), help: "Round to 16 bits without dither.")
  var isUndithered = false

  @Flag(help: "Print the summary, or what went wrong, as JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors and warnings.")
  var quiet = false

  func run() throws {
    let summary: RenderSummary
    do throws(ChainFailure) {
      summary = try perform()
    } catch {
      throw FailureReport.report(error, asJSON: json, to: wordStream)
    }
    if wasCutShort(summary) { throw ExitStatus.interrupted.exitCode }
  }

  private func perform() throws(ChainFailure) -> RenderSummary {
    let stop = StopSignal()
    Interrupts.stop(with: stop)
    let job = try RenderJob(try chain(), try request())
    guard live.ab == nil || job.isLive else {
      throw ChainFailure(
        .request, code: "usage",
        "--ab lets two chains be heard in turn; into a file render each by itself")
    }
    // What plugins print while they run is none of the summary.
    if !job.writesStandardOutput { Output.takeStandardOutput() }
    if !json { FailureReport.warn(job.diagnostics, isQuiet: quiet) }
    let bar = ProgressBar(isShown: !quiet && !json)
    defer { bar.clear() }
    if job.isLive { LV2Crashes.keepFiles() }
    var upkeep = Upkeep(isQuiet: quiet || json)
    let control = LiveControl()
    if job.isLive { Interrupts.reload { control.post(.load()) } }
    let summary = try job.play(stop: stop, control: control) {
      bar.show($0)
    } event: { event in
      guard event.kind != .latency || !quiet else { return }
      bar.clear()
      EventReport.tell(event)
    } device: { notice in
      upkeep.tell(notice)
      guard !json, notice.kind != .differs || !quiet else { return }
      bar.clear()
      EventReport.tell(notice)
    } change: { change in
      bar.clear()
      upkeep.tell(change)
    } look: { session in
      upkeep.look(session)
    }
    bar.clear()
    report(summary, job.diagnostics)
    return summary
  }

  /// The chain, or two of which one is heard at a time.
  private func chain() throws(ChainFailure) -> Chain {
    let chain = try file.load()
    guard let other = live.ab else { return chain }
    guard !live.watch else {
      throw ChainFailure(
        .request, code: "usage", "--watch follows one chain and --ab plays two: leave out one")
    }
    return try chain.compared(
      with: Chain(contentsOfFile: other, variables: chain.variables))
  }

  /// Playing has no other end than Ctrl-C; a render that was cut short is not what was asked for.
  private func wasCutShort(_ summary: RenderSummary) -> Bool {
    summary.wasStopped && (summary.live == nil || summary.outputs.contains(where: \.isPartial))
  }

  private func report(_ summary: RenderSummary, _ diagnostics: Diagnostics) {
    let report = SummaryReport(summary: summary, diagnostics: diagnostics)
    if json {
      Output.json(report.json, to: wordStream)
    } else if quiet {
      for warning in report.warnings { Output.error(warning) }
    } else {
      Output.line(report.text, to: wordStream)
    }
  }

  /// Audio on standard output leaves standard error for words.
  private var wordStream: Output.Stream {
    output == "-" || outputs.contains { $0.hasSuffix("=-") } ? .error : .output
  }

  private func bind(
    _ name: String, _ file: String, _ files: inout [String: String], option: String
  ) throws(ChainFailure) {
    guard files.updateValue(file, forKey: name) == nil else {
      throw ChainFailure(
        .request, code: "usage",
        "\(name) is bound twice, to '\(file)' and with \(option) \(name)=…; leave one out")
    }
  }

  private func request() throws(ChainFailure) -> RenderRequest {
    var request = RenderRequest(
      inputs: try Pair.dictionary(inputs, option: "--input"),
      outputs: try Pair.dictionary(outputs, option: "--output"))
    if let input { try bind("main", input, &request.inputs, option: "--input") }
    if let output { try bind("main", output, &request.outputs, option: "--output") }
    for text in set {
      let (parameter, value) = try Pair.split(text, option: "--set")
      request.settings.append(RenderRequest.Setting(parameter, value))
    }
    request.bypassed = bypass
    request.start = start?.seconds ?? 0
    request.duration = duration?.seconds
    if let blockSize, !(1...8192).contains(blockSize) {
      throw ChainFailure(
        .request, code: "usage", "--block-size is 1 to 8192 frames, not \(blockSize)")
    }
    request.blockSize = blockSize
    request.loop = loop?.loop
    if let bits, ![16, 24, 32].contains(bits) {
      throw ChainFailure(.request, code: "usage", "--bits is 16, 24 or 32, not \(bits)")
    }
    request.live = try live.settings()
    request.bits = bits
    request.isDithered = !isUndithered
    return request
  }
}
