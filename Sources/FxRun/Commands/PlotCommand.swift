import ArgumentParser
import FxAudio
import FxChain
import FxChecks
import FxKit

/// Draws how a chain, a unit or a plugin changes sound.
struct PlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draw what a chain, a unit or an LV2 plugin does to sound.",
    discussion: """
      fxrun plot chain.json plots a chain, fxrun plot lowPass frequency=2kHz a unit, fxrun plot URI \
      a plugin.

      Without -o and --json the file has the subject's name, with .svg.

      The figures are measured by rendering impulses, tones and sweeps, and the latency is taken out. \
      Panels without information are left out, with the reason, unless --what names them.
      """)

  @Argument(
    help: "A chain file, a unit's name or a plugin's URI.", completion: .words(.plotted))
  var subject: String

  @Argument(
    help: ArgumentHelp(
      "Parameters and options of a unit or plugin, as a chain would write them.",
      valueName: "name=value"), completion: .words(.plottedValues))
  var values: [String] = []

  @OptionGroup var picture: PictureArguments

  @Option(
    help: ArgumentHelp(
      "Draw these panels, separated by commas: \(PlotPanel.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "panels"), completion: .list(PlotPanel.allCases.map(\.rawValue)))
  var what: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Level of the tones and the sweep, in dB.", valueName: "dB"))
  var level = -12.0

  @OptionGroup var stream: StreamArguments

  @Option(
    help: ArgumentHelp(
      "Channels that get the sound: all, sides (opposite ones on the first two) or a number.",
      valueName: "channels"), completion: .list(["all", "sides"]))
  var feed = "all"

  @Option(help: ArgumentHelp("The input of the chain that gets the sound.", valueName: "name"))
  var input = "main"

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp("The output of the chain that is drawn.", valueName: "name"))
  var outputName: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Give one of the chain's variables a value; may be repeated.", valueName: "name=value"),
    completion: .words(.variables))
  var define: [String] = []

  @OptionGroup var setting: SettingArguments

  @Flag(help: "Print the figures as JSON; a file is written with -o alone.")
  var json = false

  func validate() throws {
    guard level.isFinite, (-100...24).contains(level) else {
      throw ValidationError("--level must be -100 to 24 dB")
    }
    guard stream.sampleRate >= 8000, stream.sampleRate <= 384_000 else {
      throw ValidationError("--sample-rate must be 8000 to 384000 Hz for a plot")
    }
    guard !picture.isOnOutput || !json else {
      throw ValidationError("-o - and --json both write to standard output")
    }
    _ = try panels()
    _ = try channels()
  }

  func run() throws {
    Interrupts.endAtOnce()
    do throws(ChainFailure) {
      if let mistake = PluginHosting.mistake {
        throw ChainFailure(.request, code: .usage, mistake)
      }
      try draw()
    } catch {
      throw FailureReport.report(
        error, asJSON: json, to: picture.isOnOutput ? .error : .output)
    }
  }

  private func draw() throws(ChainFailure) {
    var pairs: [(name: String, value: String)] = []
    for text in values {
      let (name, value) = try Pair.split(text, option: "plot")
      pairs.append((name, value))
    }
    let subject = try PlotSubject(
      subject, values: pairs, variables: Pair.dictionary(define, option: "--define"))
    var file = picture.output
    if file == nil { file = try freeName(subject) }
    var probe = ChainProbe(subject.chain)
    probe.settings = try setting.settings()
    probe.scene = setting.scene
    probe.sampleRate = stream.sampleRate
    probe.channels = stream.width
    probe.feed = (try? channels()) ?? .all
    probe.input = input
    probe.output = outputName
    let panels = try? panels()
    let response = try Response(probe, level: level)
    if let file {
      try picture.write(response.page(subject, panels: panels).drawing, to: file)
    }
    if json {
      Output.json(response.json(subject, panels: panels))
    } else if let file, file != "-" {
      let (drawn, sentences) = response.charts(panels)
      let names = drawn.map(\.panel.noun).joined(separator: ", ")
      Output.line(Text.lines(["\(file): \(names)"] + sentences))
    }
  }

  /// The subject's name with `.svg`; throws if that file exists. nil with `--json`.
  private func freeName(_ subject: PlotSubject) throws(ChainFailure) -> String? {
    guard !json else { return nil }
    let name = "\(subject.fileName).svg"
    guard !PlotFile.exists(name) else {
      throw ChainFailure(
        .output, code: .fileExists, "'\(name)' is there already; -o \(name) replaces it",
        path: name)
    }
    return name
  }

  private func panels() throws -> [PlotPanel]? {
    guard let what else { return nil }
    let known = PlotPanel.allCases.map(\.rawValue)
    return try what.split(separator: ",", omittingEmptySubsequences: false).map { name in
      let name = name.trimmingPrefix(while: \.isWhitespace)
      guard let panel = PlotPanel(rawValue: String(name)) else {
        let hint = Suggestion.hint(for: String(name), in: known).first.map { "; \($0)" } ?? ""
        throw ValidationError(
          "--what: there is no panel '\(name)'\(hint) (\(known.joined(separator: ", ")))")
      }
      return panel
    }
  }

  private func channels() throws -> ChainProbe.Feed {
    switch feed {
    case "all": return .all
    case "sides":
      guard stream.width >= 2 else {
        throw ValidationError("--feed sides needs two channels")
      }
      return .sides
    default:
      guard let number = Int(feed), (1...stream.width).contains(number) else {
        throw ValidationError("--feed must be all, sides or 1 to \(stream.width), not '\(feed)'")
      }
      return .channel(number - 1)
    }
  }
}
