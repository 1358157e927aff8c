import ArgumentParser
import FxAudio
import FxChain
import FxKit

/// Lists the built-in units, or shows one.
struct UnitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "units", abstract: "List the built-in units, or show everything about one.")

  @Argument(
    help: "A unit's name, with @1 for a revision of it.",
    completion: .list(UnitLibrary.shared.unitNames + UnitLibrary.shared.earlierNames))
  var unit: String?

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: .hidden)
  var markdown = false

  func run() throws {
    let library = UnitLibrary.shared
    if let unit {
      guard let spec = library.unit(named: unit)?.spec else {
        throw FailureReport.report(
          ChainFailure(
            .request, code: .unknownUnit, "there is no unit '\(unit)'",
            hints: Suggestion.hint(for: unit, in: library.unitNames + library.earlierNames)),
          asJSON: json)
      }
      let report = report(spec)
      if json { Output.json(report.json) } else { Output.line(report.text) }
      return
    }
    let reports = library.units.map(report)
    if json {
      Output.json(.array(reports.map(\.json)))
    } else if markdown {
      Output.data(UnitReport.page(reports))
    } else {
      for report in reports { Output.line(report.line) }
    }
  }

  /// A unit with its older revisions.
  private func report(_ spec: UnitSpec) -> UnitReport {
    UnitReport(
      spec: spec,
      earlier: UnitLibrary.shared.revisions(ofUnit: spec.id).map(\.spec).filter {
        $0.revision < spec.revision
      })
  }
}
