import ArgumentParser
import FxAudio
import FxKit

/// The arguments of `run` for the sound device.
struct LiveArguments: ParsableArguments {
  enum Loss: String, ExpressibleByArgument, CaseIterable {
    case wait, end
  }

  @Option(
    help: ArgumentHelp(
      "Play on this sound device, and record from it, in place of default.", valueName: "name"),
    completion: .words(.players))
  var device: String?

  @Option(
    help: ArgumentHelp(
      "Record the chain's input from this sound device; with -o into a file.", valueName: "name"),
    completion: .words(.recorders))
  var capture: String?

  @Option(of: "captureChannels") var captureChannels: GivenOption?
  @Option(of: "hardwareLatency") var hardwareLatency: GivenOption?
  @Option(of: "period") var period: GivenOption?
  @Option(of: "periods") var periods: GivenOption?

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
      throw .usage("--meters must be 0.1 to 3600 seconds, not \(meters)")
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
      "Receive OSC messages while it plays, over UDP and TCP: a port of this computer, or an address and a port.",
      valueName: "[address:]port"))
  var osc: String?

  @Option(
    help: ArgumentHelp(
      "Write every change that is made while it plays to this file, for --replay.",
      valueName: "file"), completion: .file(extensions: ["jsonl"]))
  var log: String?
  @Option(of: "volume") var volume: GivenOption?
  @Option(of: "rest") var rest: GivenOption?

  @Option(
    help: ArgumentHelp(
      "Play this chain on the same input as well, to switch between the two.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var ab: String?

  func settings() throws(ChainFailure) -> LiveSettings {
    var settings = LiveSettings()
    settings.device = device
    settings.captureDevice = capture
    settings.watchesFiles = watch
    if let cpu { settings.processors = try Self.processors(cpu) }
    settings.log = log.map { LiveLog.Destination($0, program: "fxrun \(Release.version)") }
    settings.waitsForDevice = onLost.map { $0 == .wait }
    return settings
  }

  /// The given values that `RequestOption` declares, by key.
  func values() throws(ChainFailure) -> [String: OptionValue] {
    try [captureChannels, hardwareLatency, period, periods, volume, rest].values()
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
        throw .usage("--cpu is a list of processors as 3, 2-3 or 0,2-3, not '\(list)'")
      }
      guard last <= 1023 else {
        throw .usage("--cpu: processors have numbers from 0 to 1023, not \(last)")
      }
      processors += first...last
    }
    return processors
  }
}
