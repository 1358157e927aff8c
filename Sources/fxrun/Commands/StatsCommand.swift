import ArgumentParser
import FxAudio
import FxDiagnostics
import FxKit
import FxPlots
import FxReports

/// Sound files in figures.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract:
      "Measure sound files: peak, true peak, RMS, loudness, DC, clipping, silence, noise floor, bandwidth."
  )

  @Argument(help: "Sound files; - reads standard input.", completion: .file())
  var files: [String]

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp(
      "Draw the wave, the loudness over time and the spectrum of one file: .svg or .png; - writes SVG to standard output.",
      valueName: "file"),
    completion: .file(extensions: ["svg", "png"]))
  var output: String?

  @Flag(help: "Print JSON: an array, an object a file.")
  var json = false

  func validate() throws {
    guard let output else { return }
    guard files.count == 1 else { throw ValidationError("-o draws one file, not \(files.count)") }
    guard output == "-" || isPNG || output.lowercased().hasSuffix(".svg") else {
      throw ValidationError("-o takes a name that ends in .svg or .png, or - for SVG")
    }
  }

  func run() throws {
    Interrupts.endAtOnce()
    var reports: [JSONOutput] = []
    var failure: ChainFailure?
    for file in files {
      do throws(ChainFailure) {
        let report = try measure(file)
        if let output { try draw(report, to: output) }
        if json {
          reports.append(report.json)
        } else if output != "-" {
          Output.line(report.text)
        }
        for warning in report.warnings where !json {
          Output.error("warning: \(file): \(ForeignText.visible(warning))")
        }
      } catch {
        // The others are measured all the same.
        failure = failure ?? error
        if json {
          reports.append(.members(["file": .string(file), "error": .string(error.message)]))
        } else {
          Output.error("error: \(FailureReport.words(error))")
        }
      }
    }
    if json { Output.json(.array(reports)) }
    if let failure { throw ExitStatus(failure.kind).exitCode }
  }

  private var isPNG: Bool { output?.lowercased().hasSuffix(".png") == true }

  private func measure(_ file: String) throws(ChainFailure) -> FileStatistics {
    let isShown = Output.isTerminal(.error) && !json
    var shown = 0
    defer { if shown > 0 { Output.write("\r\u{1B}[K", to: .error) } }
    return try FileStatistics(path: file) { frames, total in
      guard isShown, let total, total > 0, frames * 20 / total > shown else { return true }
      shown = frames * 20 / total
      Output.write("\r\(file): \(shown * 5) %\u{1B}[K", to: .error)
      return true
    }
  }

  private func draw(_ report: FileStatistics, to output: String) throws(ChainFailure) {
    let drawing = report.page.drawing
    guard output != "-" else {
      Output.write(drawing.svg(.auto), to: .output)
      return
    }
    try PlotFile.write(drawing, .auto, isPNG: isPNG, to: output)
  }
}
