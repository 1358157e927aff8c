import FxDiagnostics
import ArgumentParser
import FxChain
import FxIO

/// The sound devices, and what each can be set to.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the sound devices that can play or record, and what they can be set to.",
    discussion: "A chain names one as { \"sink\": { \"alsa\": NAME } } or { \"source\": … }.")

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let devices = DeviceCatalog.devices()
    let reports = devices.map(DeviceReport.init)
    if json {
      Output.json(.array(reports.map(\.json)))
    } else {
      for report in reports { Output.line(report.text) }
    }
    guard !DeviceCatalog.hasCard else { return }
    guard !DevicePermission.isDenied else {
      return Output.error("no sound card can be used: \(DevicePermission.reason)")
    }
    Output.error(
      devices.contains(where: \.isUsable)
        ? "no sound card: ALSA's configuration defines these devices"
        : "no sound device can be used: the system knows no sound card ('cat /proc/asound/cards' "
          + "lists them) and no sound server answers")
  }
}
