import ArgumentParser
import FxChain
import FxKit

/// The main command: renders a chain to a file or plays it on the sound device.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a chain over a file or live (the default: 'fxrun chain.json input.mp3').")

  @OptionGroup var file: ChainArguments

  @Argument(
    help: "The file or http address for the chain's main input; - reads standard input.",
    completion: .file())
  var input: String?

  @OptionGroup var rawInputs: RawInputArguments

  @Option(
    help: ArgumentHelp(
      "Save the bytes of the first http stream in this file, as they arrive.", valueName: "file"),
    completion: .file())
  var saveStream: String?

  @Option(of: "streamBuffer") var streamBuffer: GivenOption?
  @Option(of: "streamTimeout") var streamTimeout: GivenOption?
  @Option(of: "streamAttempts") var streamAttempts: GivenOption?

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp(
      "Write the main output to this file: .wav, .flac, .mp3, .ogg …; - is standard output, as WAV or in --format. May be repeated.",
      valueName: "file"),
    completion: .file())
  var outputFiles: [String] = []

  @Option(
    name: .customLong("input"),
    help: ArgumentHelp("Feed a named input of the chain; may be repeated.", valueName: "name=file"),
    completion: .words(.inputFiles))
  var inputs: [String] = []

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "Write a named output of the chain; may be repeated.", valueName: "name=file"),
    completion: .words(.outputFiles))
  var outputs: [String] = []

  @OptionGroup var setting: SettingArguments

  @Option(
    help: ArgumentHelp(
      "Bypass a node: it passes its input on; may be repeated.", valueName: "node"),
    completion: .words(.nodes))
  var bypass: [String] = []

  @Option(
    help: ArgumentHelp(
      "Record the output of a node into a file, beside everything else; may be repeated.",
      valueName: "node=file"), completion: .words(.nodeFiles))
  var tap: [String] = []

  @Option(
    help: ArgumentHelp(
      "Loop a part of the input: from-to in seconds or m:ss, or all of it. Into a file with --duration.",
      valueName: "from-to|all"), completion: .list(["all"]))
  var loop: LoopArgument?

  @Option(of: "threads") var threads: GivenOption?

  @OptionGroup var live: LiveArguments

  @Option(
    help: ArgumentHelp(
      "Render with the changes that were made while the chain played, as --log wrote them.",
      valueName: "file"), completion: .file(extensions: ["jsonl"]))
  var replay: String?

  @OptionGroup var rate: RateArguments

  @OptionGroup var encoding: EncodingArguments

  @Option(of: "chapters", completion: .file()) var chapters: GivenOption?
  @Option(of: "chaptersTo", completion: .file(extensions: ["json", "cue", "txt"]))
  var chaptersTo: GivenOption?

  @OptionGroup var editing: EditingArguments

  @OptionGroup var recording: RecordingArguments

  @Flag(
    help: "Print the summary, or the error, as JSON; live also each event, one a line.")
  var json = false

  @Flag(help: "Show in the summary how much of the time each node took.")
  var profile = false

  @Flag(
    name: .shortAndLong,
    help: "Print errors and warnings only; messages of plugins are printed too.")
  var quiet = false

  func run() throws {
    try ChainRun.report(asJSON: json, to: wordStream) { () throws(ChainFailure) in
      var run = ChainRun(try chain(), try request(), to: wordStream)
      run.asJSON = json
      run.isQuiet = quiet
      run.profiles = profile
      run.compares = live.ab != nil
      run.control = live.control
      run.osc = live.osc
      run.wantsView = !live.noView
      run.meterInterval = try live.meterInterval()
      return run
    }
  }

  /// The chain, or two chains of which only one is audible at a time.
  private func chain() throws(ChainFailure) -> Chain {
    let chain: Chain
    do throws(ChainFailure) {
      chain = try file.load()
    } catch {
      throw advised(error)
    }
    if live.watch, chain.path == Chain.empty.path {
      throw .usage("--watch follows a chain's file, and 'none' has no file")
    }
    guard let other = live.ab else { return chain }
    guard !live.watch else {
      throw .usage("--watch follows one chain and --ab plays two: leave out one")
    }
    return try chain.compared(
      with: Chain(named: other, variables: chain.variables))
  }

  /// A failure that says more where the chain's name looks like a command or a sound.
  private func advised(_ failure: ChainFailure) -> ChainFailure {
    let words = RawArguments.all
    if words.first == file.chain, let advice = CommandAdvice.unknownCommand(words) {
      return .usage(advice)
    }
    return CommandAdvice.soundAsChain(file.chain).map { advice in
      ChainFailure(failure.kind, codeText: failure.code, advice, path: failure.path)
    } ?? failure
  }

  private var wordStream: Output.Stream {
    ChainRun.wordStream(
      besides: outputFiles, isAudio: outputs.contains { $0.hasSuffix("=-") })
  }

  private func bind(
    _ name: String, _ file: String, _ files: inout [String: String], option: String
  ) throws(ChainFailure) {
    guard files.updateValue(file, forKey: name) == nil else {
      throw .usage(
        "\(name) is bound twice, to '\(file)' and with \(option) \(name)=…; leave one out")
    }
  }

  func request() throws(ChainFailure) -> RenderRequest {
    var request = RenderRequest(
      inputs: try Pair.dictionary(inputs, option: "--input"),
      outputs: try Pair.dictionary(outputs, option: "--output"))
    if let input { try bind("main", input, &request.inputs, option: "--input") }
    if let output = outputFiles.first {
      try bind("main", output, &request.outputs, option: "--output")
      request.copies = Array(outputFiles.dropFirst())
    }
    request.rawInputs = try rawInputs.formats()
    request.settings = try setting.settings()
    request.bypassed = bypass
    request.scene = setting.scene
    for text in tap {
      let (node, file) = try Pair.split(text, option: "--tap")
      request.taps.append(RenderRequest.Tap(node, file))
    }
    request.loop = loop?.loop
    request.live = try live.settings()
    if let replay { request.replay = try LiveLog(contentsOfFile: replay) }
    request.savedStream = saveStream
    request.measuresNodes = profile
    request.chapters = try encoding.marks()
    var given = try [
      streamBuffer, streamTimeout, streamAttempts, threads, chapters, chaptersTo,
    ].values()
    for group in try [
      rate.values(), encoding.values(), editing.values(), recording.values(), live.values(),
    ] { given.merge(group) { $1 } }
    try request.set(checking: given)
    return request
  }
}
