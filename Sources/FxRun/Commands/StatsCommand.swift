import ArgumentParser
import FxAudio
import FxChain
import FxChecks
import FxKit

/// Measures sound files.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract:
      "Measure sound files: peak, true peak, RMS, loudness, DC, clipping, silence, noise floor, bandwidth.",
    discussion: "With -o: the wave, the loudness over time and the spectrum of one file.")

  @Argument(help: "Sound files; - reads standard input.", completion: .file())
  var files: [String]

  @OptionGroup var format: RawFileArguments

  @OptionGroup var picture: PictureArguments

  @Flag(help: "Print JSON: an array, an object a file.")
  var json = false

  func validate() throws {
    guard files.count == 1 || picture.output == nil else {
      throw ValidationError("-o draws one file, not \(files.count)")
    }
  }

  func run() throws {
    try FileReports.run(files, asJSON: json, printsText: !picture.isOnOutput) {
      file throws(ChainFailure) in
      let report = try measure(file)
      if let file = picture.output { try picture.write(report.page.drawing, to: file) }
      return FileReports.Report(text: report.text, json: report.json, warnings: report.warnings)
    }
  }

  private func measure(_ file: String) throws(ChainFailure) -> FileStatistics {
    let isShown = Output.obeysCodes(.error) && !json
    var shown = 0
    defer { if shown > 0 { Output.write("\r\u{1B}[K", to: .error) } }
    return try FileStatistics(path: file, raw: format.raw) { frames, total in
      guard isShown, let total, total > 0, frames * 20 / total > shown else { return true }
      shown = frames * 20 / total
      Output.write("\r\(file): \(shown * 5) %\u{1B}[K", to: .error)
      return true
    }
  }
}
