import FxDiagnostics
import ArgumentParser
import FxAudio
import FxKit

/// The built-in units, or all about one.
struct UnitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "units", abstract: "List the built-in units, or show everything about one.")

  @Argument(
    help: "A unit's name.",
    completion: .list(UnitLibrary.shared.unitNames))
  var unit: String?

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: .hidden)
  var markdown = false

  func run() throws {
    let units = UnitLibrary.shared.units
    if let unit {
      guard let spec = units.first(where: { $0.id == unit }) else {
        throw FailureReport.report(
          ChainFailure(
            .request, code: "unknown-unit", "there is no unit '\(unit)'",
            hints: Suggestion.hint(for: unit, in: units.map(\.id))),
          asJSON: json)
      }
      let report = UnitReport(spec: spec)
      if json { Output.json(report.json) } else { Output.line(report.text) }
    } else if json {
      Output.json(.array(units.map { UnitReport(spec: $0).json }))
    } else if markdown {
      Output.line(UnitReport.page(units))
    } else {
      for spec in units { Output.line(UnitReport(spec: spec).line) }
    }
  }
}
