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
    Interrupts.endAtOnce()
    var reports: [JSONOutput] = []
    var failure: ChainFailure?
    for file in files {
      do throws(ChainFailure) {
        let report = SoundReport(
          path: file, info: try SoundInfo(path: file, raw: format.raw, isExact: exact))
        if json { reports.append(report.json) } else { Output.line(report.text) }
        for warning in report.warnings where !json {
          Output.error("warning: \(file): \(ForeignText.visible(warning))")
        }
      } catch {
        // Continue with the other files.
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
}
