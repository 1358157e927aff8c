import ArgumentParser
import FxAudio
import FxChecks
import FxKit

/// Measures the time, the memory and the threads that a chain needs.
struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Measure a chain: the time and memory of each node, and the gain of more threads.",
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
      valueName: "name=file"), completion: .words(.inputFiles))
  var inputs: [String] = []

  @OptionGroup var setting: SettingArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Render this much: seconds or m:ss (default: 10).", valueName: "time"))
  var duration: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Block size in frames, in place of the chain's own: a device's period.", valueName: "frames"))
  var blockSize: Int?

  @OptionGroup var stream: StreamArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Try up to so many threads (default: as many as there are processors).", valueName: "n"))
  var threads: Int?

  @OptionGroup var picture: PictureArguments

  @Flag(help: "Print the figures as JSON.")
  var json = false

  func validate() throws {
    guard input != "-", !inputs.contains(where: { $0.hasSuffix("=-") }) else {
      throw ValidationError(
        "a profile reads its inputs several times, which standard input cannot be")
    }
    guard (duration?.seconds ?? 1) > 0 else { throw ValidationError("--duration must be above 0") }
    guard !picture.isOnOutput || !json else {
      throw ValidationError("-o - and --json both write to standard output")
    }
  }

  func run() throws {
    Interrupts.endAtOnce()
    do throws(ChainFailure) {
      let profile = try file.load().profile(
        request(), sampleRate: stream.sampleRate, channels: stream.width)
      let report = ChainProfileReport(profile: profile, name: file.chain)
      if let file = picture.output {
        try picture.write(ProfileDrawing(profile, title: self.file.chain).drawing, to: file)
      }
      if json {
        Output.json(report.json)
      } else if !picture.isOnOutput {
        Output.line(report.text)
      }
    } catch {
      throw FailureReport.report(error, asJSON: json, to: picture.isOnOutput ? .error : .output)
    }
  }

  private func request() throws(ChainFailure) -> RenderRequest {
    var request = RenderRequest(inputs: try Pair.dictionary(inputs, option: "--input"))
    if let input {
      guard request.inputs.updateValue(input, forKey: "main") == nil else {
        throw ChainFailure(
          .request, code: .usage, "main is bound twice; leave out --input main=…")
      }
    }
    request.settings = try setting.settings()
    request.scene = setting.scene
    request.duration = duration?.seconds ?? 10
    request.blockSize = blockSize
    request.threads = threads
    return request
  }
}
