import ArgumentParser
import FxAudio
import FxChain
import FxKit

/// Reports the format of sound files without decoding them.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract:
      "Describe sound files: codec, rate, channels, bit rate, duration, tags, chapters.",
    discussion: """
      Reads the header, some packets and the tags. Each length is marked as counted, taken from \
      the header, or estimated; --exact reads every packet.
      """)

  @Argument(
    help: "Sound files; - reads standard input.", completion: .file())
  var files: [String]

  @OptionGroup var format: RawFileArguments

  @Flag(help: "Read every packet, so that lengths and damage are counted.")
  var exact = false

  @Flag(help: "Print JSON: an array, an object a file.")
  var json = false

  func run() throws {
    try FileReports.run(files, asJSON: json) { file throws(ChainFailure) in
      let report = SoundReport(
        path: file, info: try SoundInfo(path: file, raw: format.raw, isExact: exact))
      return FileReports.Report(text: report.text, json: report.json, warnings: report.warnings)
    }
  }
}
