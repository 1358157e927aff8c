import ArgumentParser
import FxChain
import FxKit

/// Lists the sound devices and their possible settings.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the sound devices that can play or record, and what they can be set to.",
    discussion: "A chain names one as { \"sink\": { \"alsa\": NAME } } or { \"source\": … }.")

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let reports = DeviceReport.all()
    if json {
      Output.json(.array(reports.map(\.json)))
    } else {
      for report in reports { Output.line(report.text) }
    }
    if let remark = DeviceReport.remark(on: reports) { Output.error(remark) }
  }
}
