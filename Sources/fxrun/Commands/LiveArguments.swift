import ArgumentParser
import FxKit

/// What `run` can be told about the sound device.
struct LiveArguments: ParsableArguments {
  enum Loss: String, ExpressibleByArgument, CaseIterable {
    case wait, end
  }

  @Option(
    help: ArgumentHelp(
      "Play on this sound device, and record from it, in place of default.", valueName: "name"))
  var device: String?

  @Option(
    help: ArgumentHelp(
      "Record the chain's input from this sound device; with -o into a file.", valueName: "name"))
  var capture: String?

  @Option(
    help: ArgumentHelp(
      "Channels to record where the chain does not say (default 2).", valueName: "count"))
  var captureChannels: Int?

  @Option(
    help: ArgumentHelp(
      "Frames of a period of the device (default 256; 128 to hear what is recorded).",
      valueName: "frames"))
  var period: Int?

  @Option(
    help: ArgumentHelp("Periods of the device's buffer, 2 or more (default 3).", valueName: "count")
  )
  var periods: Int?

  @Option(
    help: ArgumentHelp(
      "When the device goes away: wait until it is back (default where the sound has no end), or end.",
      valueName: "wait|end"))
  var onLost: Loss?

  @Flag(
    help: ArgumentHelp(
      "Read the chain again when its file is written, and let it take over without a gap."))
  var watch = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The level of what is heard, -120 to 20 dB (default 0); files beside it keep theirs.",
      valueName: "dB"))
  var volume: DecibelArgument?

  @Option(
    help: ArgumentHelp(
      "Render nothing once everything has been silent for so long, until there is sound again: seconds or m:ss.",
      valueName: "time"))
  var rest: TimeArgument?

  @Option(
    help: ArgumentHelp(
      "Play this chain on the same input as well, to hear the two in turn.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var ab: String?

  func settings() throws(ChainFailure) -> LiveSettings {
    if let period, !(1...65536).contains(period) {
      throw Self.usage("--period is 1 to 65536 frames, not \(period)")
    }
    if let periods, !(2...64).contains(periods) {
      throw Self.usage("--periods is 2 to 64, not \(periods)")
    }
    if let captureChannels, !(1...1024).contains(captureChannels) {
      throw Self.usage("--capture-channels is 1 to 1024, not \(captureChannels)")
    }
    var settings = LiveSettings()
    settings.device = device
    settings.captureDevice = capture
    settings.captureChannels = captureChannels
    settings.period = period
    settings.periods = periods
    settings.watchesFiles = watch
    settings.volume = volume?.decibels ?? 0
    settings.rest = rest?.seconds
    settings.waitsForDevice = onLost.map { $0 == .wait }
    return settings
  }

  private static func usage(_ message: String) -> ChainFailure {
    ChainFailure(.request, code: "usage", message)
  }
}
