import ArgumentParser
import FxKit
import FxReports

/// What a chain takes: time, memory, threads.
struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Say what a chain takes: time and memory by node, and what more threads give.",
    discussion: """
      Renders the chain several times and writes no file: fxrun profile chain.json input.mp3. Without \
      an input file the chain gets ten seconds of a test signal of voices, hiss and transients.

      'of a period' is the share of a block's time that a node takes in half of the blocks, 'longest' \
      that of the longest block. 'a period, live' is computed from the nodes' times.
      """)

  @OptionGroup var file: ChainArguments

  @Argument(help: "The sound file for the chain's main input.", completion: .file())
  var input: String?

  @Option(
    name: .customLong("input"),
    help: ArgumentHelp(
      "Feed an input of the chain from a file; may be repeated. 'main' is the main one.",
      valueName: "name=file"))
  var inputs: [String] = []

  @Option(
    help: ArgumentHelp(
      "Set a parameter, as the chain would write it; may be repeated.",
      valueName: "node.parameter=value"))
  var set: [String] = []

  @Option(
    help: ArgumentHelp(
      "Begin with this scene of the chain, in place of its own 'scene'.", valueName: "name"))
  var scene: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Render so much: seconds or m:ss (default: 10).", valueName: "time"))
  var duration: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Frames of a block in place of the chain's own: a device's period.", valueName: "frames"))
  var blockSize: Int?

  @OptionGroup var stream: StreamArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Try up to so many threads (default: as many as there are processors).", valueName: "n"))
  var threads: Int?

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp(
      "Draw it into this file, SVG or PNG; - is SVG on standard output.", valueName: "file"),
    completion: .file(extensions: ["svg", "png"]))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "light, dark, or auto: as whoever shows the file prefers (SVG only).", valueName: "theme"))
  var theme = "auto"

  @Flag(help: "Print the figures as JSON.")
  var json = false

  func validate() throws {
    guard Drawing.Theme(rawValue: theme) != nil else {
      throw ValidationError("--theme is light, dark or auto, not '\(theme)'")
    }
    if let output, output != "-", PlotFile.format(of: output) == nil {
      throw ValidationError("-o: the name of a picture ends in .svg or .png, not '\(output)'")
    }
    guard output != "-" || !json else {
      throw ValidationError("-o - and --json both write to standard output")
    }
  }

  func run() throws {
    Interrupts.endAtOnce()
    do throws(ChainFailure) {
      let profile = try file.load().profile(
        request(), sampleRate: stream.sampleRate, channels: stream.channels)
      let report = ChainProfileReport(profile: profile, name: file.chain)
      if let output { try draw(profile, to: output) }
      if json {
        Output.json(report.json)
      } else if output != "-" {
        Output.line(report.text)
      }
    } catch {
      throw FailureReport.report(error, asJSON: json, to: output == "-" ? .error : .output)
    }
  }

  private func draw(_ profile: ChainProfile, to file: String) throws(ChainFailure) {
    let drawing = ProfileDrawing(profile, title: self.file.chain).drawing
    let theme = Drawing.Theme(rawValue: theme) ?? .auto
    guard file != "-" else { return Output.write(drawing.svg(theme), to: .output) }
    try PlotFile.write(drawing, theme, isPNG: PlotFile.format(of: file) == .png, to: file)
  }

  private func request() throws(ChainFailure) -> RenderRequest {
    var request = RenderRequest(inputs: try Pair.dictionary(inputs, option: "--input"))
    if let input {
      guard request.inputs.updateValue(input, forKey: "main") == nil else {
        throw ChainFailure(
          .request, code: "usage", "main is bound twice; leave out --input main=…")
      }
    }
    for text in set {
      let (parameter, value) = try Pair.split(text, option: "--set")
      request.settings.append(RenderRequest.Setting(parameter, value))
    }
    request.scene = scene
    request.duration = duration?.seconds ?? 10
    request.blockSize = blockSize
    request.threads = threads
    return request
  }
}
