import ArgumentParser
import FxKit

/// The arguments of `run` for the sound device.
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
    parsing: .unconditional,
    help: ArgumentHelp(
      "Channels to record where the chain does not say (default 2).", valueName: "count"))
  var captureChannels: Int?

  @Option(
    help: ArgumentHelp(
      "Latency of converters and cables that drivers do not report; it is removed from recordings: seconds, or as 1.5ms.",
      valueName: "time"))
  var hardwareLatency: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Frames of a period of the device (default: the block size, or 256; 128 to play and record, 1024 to record only).",
      valueName: "frames"))
  var period: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Periods of the device's buffer, 2 or more (default 3; 4 to record only).", valueName: "count"
    )
  )
  var periods: Int?

  @Option(
    help: ArgumentHelp(
      "When the device disappears: wait for it (default where the sound has no end), or end. With wait, fxrun also waits for a device that is missing at the start.",
      valueName: "wait|end"))
  var onLost: Loss?

  @Flag(
    help: ArgumentHelp(
      "Reload the chain when its file is written, without a gap in the sound."))
  var watch = false

  @Flag(
    name: .customLong("no-view"), help: "Show no levels and loads on the terminal while it plays.")
  var noView = false

  @Option(
    help: ArgumentHelp(
      "With --json: print levels, gain reduction and loads this often, 0.1 or more.",
      valueName: "seconds"))
  var meters: Double?

  func meterInterval() throws(ChainFailure) -> Double? {
    guard let meters else { return nil }
    guard (0.1...3600).contains(meters) else {
      throw Self.usage("--meters is 0.1 to 3600 seconds, not \(meters)")
    }
    return meters
  }
  @Option(
    help: ArgumentHelp(
      "Processors that the render thread may run on: 3, 2-3 or 0,2-3.", valueName: "list"))
  var cpu: String?
  @Option(
    help: ArgumentHelp(
      "Take requests of 'fxrun control' while it plays: a name, or the path of a socket.",
      valueName: "name|path"), completion: .file())
  var control: String?

  @Option(
    help: ArgumentHelp(
      "Write every change that is made while it plays to this file, for --replay.",
      valueName: "file"), completion: .file(extensions: ["jsonl"]))
  var log: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The playback level, -120 to 20 dB (default 0); files that are written keep their level.",
      valueName: "dB"))
  var volume: DecibelArgument?

  @Option(
    help: ArgumentHelp(
      "Stop rendering after this much silence, until there is sound again: seconds or m:ss.",
      valueName: "time"))
  var rest: TimeArgument?

  @Option(
    help: ArgumentHelp(
      "Play this chain on the same input as well, to switch between the two.", valueName: "file"),
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
    settings.hardwareLatency = hardwareLatency?.seconds
    settings.period = period
    settings.periods = periods
    settings.watchesFiles = watch
    if let cpu { settings.processors = try Self.processors(cpu) }
    settings.log = log.map { LiveLog.Destination($0, program: "fxrun \(RootCommand.version)") }
    settings.volume = volume?.decibels ?? 0
    settings.rest = rest?.seconds
    settings.waitsForDevice = onLost.map { $0 == .wait }
    return settings
  }

  /// The numbers in a list such as `0,2-3`.
  private static func processors(_ list: String) throws(ChainFailure) -> [Int] {
    var processors: [Int] = []
    for range in list.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = range.split(separator: "-", omittingEmptySubsequences: false).map { text in
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
      }
      guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil,
        first <= last
      else {
        throw usage("--cpu is a list of processors as 3, 2-3 or 0,2-3, not '\(list)'")
      }
      guard last <= 1023 else {
        throw usage("--cpu: processors have numbers from 0 to 1023, not \(last)")
      }
      processors += first...last
    }
    return processors
  }

  private static func usage(_ message: String) -> ChainFailure {
    ChainFailure(.request, code: "usage", message)
  }
}
