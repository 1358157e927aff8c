import FxDiagnostics
import ArgumentParser
import FxKit

/// The main job: a chain over its inputs, into a file or onto the sound card.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a chain over a file or live (the default: 'fxrun chain.json input.mp3').")

  @OptionGroup var file: ChainArguments

  @Argument(
    help: "The file or http address for the chain's main input; - reads standard input.",
    completion: .file())
  var input: String?

  @Option(
    help: ArgumentHelp(
      "Keep the bytes of the first http stream in this file, as they come.", valueName: "file"),
    completion: .file())
  var saveStream: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Live: seconds of a stream that are there before it plays, 0.1 to 60 (default 3).",
      valueName: "seconds"))
  var streamBuffer: Double?

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp(
      "Write the main output to this file: .wav, .flac, .mp3, .ogg …; - is standard output, as WAV or in --format. May be repeated.",
      valueName: "file"),
    completion: .file())
  var outputFiles: [String] = []

  @Option(
    name: .customLong("input"),
    help: ArgumentHelp("Feed a named input of the chain; may be repeated.", valueName: "name=file"))
  var inputs: [String] = []

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "Write a named output of the chain; may be repeated.", valueName: "name=file"))
  var outputs: [String] = []

  @OptionGroup var setting: SettingArguments

  @Option(
    help: ArgumentHelp("Let a node pass its input on; may be repeated.", valueName: "node"))
  var bypass: [String] = []

  @Option(
    help: ArgumentHelp(
      "Record what comes out of a node into a file, beside everything else; may be repeated.",
      valueName: "node=file"))
  var tap: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Begin here in the input: seconds or m:ss.", valueName: "time"))
  var start: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Take only so much of the input: seconds or m:ss.", valueName: "time"))
  var duration: TimeArgument?

  @Option(
    help: ArgumentHelp(
      "Play a part of the input over and over: from-to in seconds or m:ss, or all of it. Into a file with --duration.",
      valueName: "from-to|all"))
  var loop: LoopArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames of a block: what LV2 plugins see. 1 to 8192.", valueName: "frames"))
  var blockSize: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Render on so many threads, beside those that decode and write; without it on one a processor where that saves time.",
      valueName: "n"))
  var threads: Int?

  @OptionGroup var memory: MemoryArguments

  @OptionGroup var live: LiveArguments

  @Option(
    help: ArgumentHelp(
      "Render with the changes that were made while the chain played, as --log wrote them.",
      valueName: "file"), completion: .file(extensions: ["jsonl"]))
  var replay: String?

  @OptionGroup var rate: RateArguments

  @OptionGroup var encoding: EncodingArguments

  @OptionGroup var editing: EditingArguments

  @OptionGroup var recording: RecordingArguments

  @Flag(
    help: "Print the summary, or what went wrong, as JSON; live also what happens, a line each.")
  var json = false

  @Flag(help: "Say in the summary what each node took of the time.")
  var profile = false

  @Flag(
    name: .shortAndLong,
    help: "Print nothing but errors and warnings; what plugins log is printed all the same.")
  var quiet = false

  func run() throws {
    let summary: RenderSummary
    // Lines of JSON are followed by one more.
    var streams = false
    do throws(ChainFailure) {
      summary = try perform(streams: &streams)
    } catch {
      if error.code == "interrupted" {
        FailureReport.reportInterrupt()
        throw ExitStatus.interrupted.exitCode
      }
      throw FailureReport.report(error, asJSON: json, to: wordStream, onOneLine: streams)
    }
    if wasCutShort(summary) { throw ExitStatus.interrupted.exitCode }
    if summary.outputs.contains(where: { $0.overrunFrames > 0 }) {
      throw ExitStatus.output.exitCode
    }
  }

  private func perform(streams: inout Bool) throws(ChainFailure) -> RenderSummary {
    let stop = StopSignal()
    Interrupts.stop(with: stop)
    let job = try RenderJob(try chain(), try request(), stop: stop)
    guard live.ab == nil || job.isLive else {
      throw ChainFailure(
        .request, code: "usage",
        "--ab lets two chains be heard in turn; into a file render each by itself")
    }
    // What plugins print while they run is none of the summary.
    if !job.writesStandardOutput { Output.takeStandardOutput() }
    if !json { FailureReport.warn(job.diagnostics, isQuiet: quiet) }
    let control = LiveControl()
    let shown = LiveOutput(
      LiveOutput.Settings(
        isLive: job.isLive, isQuiet: quiet, asJSON: json, wantsView: !live.noView,
        meterInterval: try live.meterInterval(), stream: wordStream),
      control: control, stop: stop)
    defer { shown.end() }
    streams = job.isLive && json
    if job.isLive { PluginHosting.keepFilesOverCrashes() }
    var upkeep = Upkeep(isQuiet: quiet || json)
    if job.isLive { Interrupts.reload { control.post(.load()) } }
    let server = try server(for: job, control)
    defer { server?.end() }
    let metering = shown.metering
    let summary = try job.play(stop: stop, control: control) {
      shown.show($0)
    } event: { event in
      server?.report(event)
      shown.report(event)
    } device: { notice in
      upkeep.report(notice)
      server?.report(notice)
      shown.report(notice)
    } change: { change in
      shown.report(change) { upkeep.report(change) }
      server?.report(change)
    } region: { event in
      shown.report(event)
      server?.report(event)
    } look: { session in
      upkeep.look(session)
      server?.look(session)
      metering?.look(at: session)
    } waiting: {
      upkeep.wait()
    }
    shown.end()
    report(summary, job.diagnostics)
    return summary
  }

  /// Takes requests from the start of the performance on, where that is asked for.
  private func server(
    for job: RenderJob, _ control: LiveControl
  ) throws(ChainFailure) -> ControlServer? {
    guard let name = live.control else { return nil }
    guard job.isLive else {
      throw ChainFailure(
        .request, code: "usage",
        "--control takes requests while a chain plays, and this renders into files")
    }
    return try ControlServer(name, control: control)
  }

  /// The chain, or two of which one is heard at a time.
  private func chain() throws(ChainFailure) -> Chain {
    let chain = try file.load()
    if live.watch, chain.path == Chain.empty.path {
      throw ChainFailure(
        .request, code: "usage", "--watch follows a chain's file, and 'none' has no file")
    }
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
      // A summary line follows the events.
      Output.line(report.json.text(indented: summary.live == nil), to: wordStream)
    } else if quiet {
      for warning in report.warnings { Output.error(warning) }
    } else {
      Output.line(report.text, to: wordStream)
      if profile {
        let table = ProfileReport(costs: summary.nodeCosts, sampleRate: summary.sampleRate)
        Output.line(table.text, to: wordStream)
      }
    }
    if !json { for loss in report.losses { Output.error(loss) } }
  }

  /// Audio on standard output leaves standard error for words.
  private var wordStream: Output.Stream {
    outputFiles.contains("-") || outputs.contains { $0.hasSuffix("=-") } ? .error : .output
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
    if let output = outputFiles.first {
      try bind("main", output, &request.outputs, option: "--output")
      request.copies = Array(outputFiles.dropFirst())
    }
    request.settings = try setting.settings()
    request.bypassed = bypass
    request.scene = setting.scene
    for text in tap {
      let (node, file) = try Pair.split(text, option: "--tap")
      request.taps.append(RenderRequest.Tap(node, file))
    }
    request.start = start?.seconds ?? 0
    request.duration = duration?.seconds
    if let blockSize, !(1...8192).contains(blockSize) {
      throw ChainFailure(
        .request, code: "usage", "--block-size is 1 to 8192 frames, not \(blockSize)")
    }
    request.blockSize = blockSize
    request.threads = threads
    request.memoryLimit = memory.memory?.bytes
    request.loop = loop?.loop
    request.live = try live.settings()
    if let replay { request.replay = try LiveLog(contentsOfFile: replay) }
    request.savedStream = saveStream
    if let streamBuffer { request.streamBuffer = streamBuffer }
    request.measuresNodes = profile
    rate.apply(to: &request)
    try encoding.apply(to: &request)
    try editing.apply(to: &request)
    try recording.apply(to: &request)
    return request
  }
}
