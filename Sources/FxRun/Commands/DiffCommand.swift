import ArgumentParser
import FxAudio
import FxChain
import FxChecks
import FxKit

/// Reports the differences between two sound files.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two sound files and explain the differences.",
    discussion: """
      Recognizes a changed latency, gain, polarity, order of channels and length; reports where \
      and by how much everything else differs. Exit status 0 for the same or within the tolerance, \
      \(ExitStatus.differs.rawValue) for a difference.
      """)

  @Argument(
    help: "The reference; - reads standard input.", completion: .file())
  var expected: String

  @Argument(help: "The file to compare with it.", completion: .file())
  var actual: String

  @Option(
    help: ArgumentHelp(
      "The files have no header: read their samples as s16le,48000,2. For one of them expected=format or actual=format; may be repeated.",
      valueName: "format"))
  var raw: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How far it may differ: exact (the default), a level of the difference ('-90 dB'), or peak=-90,rms=-100,spectral=0.5 in dB.",
      valueName: "tolerance"))
  var tolerance = "exact"

  @Option(
    help: ArgumentHelp(
      "Draw both sounds and their difference on a page for any browser.", valueName: "file.html"),
    completion: .file(extensions: ["html"]))
  var report: String?

  @Flag(help: "Print the comparison as JSON, with all figures.")
  var json = false

  func validate() throws {
    guard expected != "-" || actual != "-" else {
      throw ValidationError("only one of the two files can be standard input")
    }
    if let mistake = SoundPair.mistake(inTolerance: tolerance) {
      throw ValidationError("--tolerance: \(mistake)")
    }
  }

  /// The formats of the files without a header.
  private func rawFormats() throws(ChainFailure) -> (expected: String?, actual: String?) {
    var formats: (expected: String?, actual: String?) = (nil, nil)
    for text in raw {
      let (name, format) = try RawInputArguments.named(text)
      switch name {
      case nil: formats = (formats.expected ?? format, formats.actual ?? format)
      case "expected": formats.expected = format
      case "actual": formats.actual = format
      default:
        throw ChainFailure(
          .request, code: .usage,
          "--raw takes expected=FORMAT, actual=FORMAT or a format for both, not '\(text)'")
      }
    }
    return formats
  }

  func run() throws {
    Interrupts.endAtOnce()
    let pair: SoundPair
    do throws(ChainFailure) {
      pair = try SoundPair(
        expected: expected, actual: actual, tolerance: tolerance, raw: rawFormats())
      if let report { try pair.report.write(to: report) }
    } catch {
      throw FailureReport.report(error, asJSON: json)
    }
    if !json {
      for warning in pair.warnings { Output.error("warning: \(ForeignText.visible(warning))") }
    }
    if json {
      Output.json(pair.json)
    } else {
      for line in pair.lines { Output.line(ForeignText.visible(line)) }
    }
    guard pair.isWithinTolerance else { throw ExitStatus.differs.exitCode }
  }
}
