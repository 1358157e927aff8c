import FxAudio
import FxChain
import FxKit

/// The reports of a command about several files, one after another. A file that cannot be read does
/// not end the command: the exit status is that of the first such file.
enum FileReports {
  struct Report {
    let text: String
    let json: JSONOutput
    let warnings: [String]
  }

  /// - Parameter printsText: false if standard output has something else.
  static func run(
    _ files: [String], asJSON: Bool, printsText: Bool = true,
    _ report: (String) throws(ChainFailure) -> Report
  ) throws {
    Interrupts.endAtOnce()
    var reports: [JSONOutput] = []
    var failure: ChainFailure?
    for file in files {
      do throws(ChainFailure) {
        let report = try report(file)
        if asJSON {
          reports.append(report.json)
        } else {
          if printsText { Output.line(report.text) }
          for warning in report.warnings {
            Output.error("warning: \(file): \(ForeignText.visible(warning))")
          }
        }
      } catch {
        failure = failure ?? error
        if asJSON {
          reports.append(
            .members(["file": .string(file), "error": .string(FailureReport.message(error))]))
        } else {
          Output.error("error: \(FailureReport.words(error))")
        }
      }
    }
    if asJSON { Output.json(.array(reports)) }
    if let failure { throw ExitStatus(failure.kind).exitCode }
  }
}
