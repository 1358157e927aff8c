import FxChain
import FxDevices
import FxGraph
import FxPlaying

/// The sound devices of a chain: which of them sets the pace, and which follow it.
///
/// The pace is set by the device that says so (`"clock": true`), or else by the first that is played on,
/// or else by the first that is recorded. It works with one that it shares a card with, or with the
/// first that is recorded, as the two ends of one device; every other follows, resampled.
struct ChainDevices {
  /// The sink that sounds on the device that sets the pace, with its name.
  var playback: (index: Int, device: String)?
  /// The sources that are recorded beside it, with the device's name.
  var capture: (sources: [Int], device: String)?
  var following: [Follower] = []

  struct Follower {
    var device: String
    var direction: DeviceDirection
    /// A sink that it plays, or the sources that it records.
    var ports: [Int]
  }

  /// One end of a device as the chain has it.
  private struct End {
    var device: String
    var ports: [Int]
    var setsPace: Bool
  }

  var isEmpty: Bool { playback == nil && capture == nil }

  /// Every sink that a device plays.
  var sinks: [Int] {
    (playback.map { [$0.index] } ?? [])
      + following.filter { $0.direction == .playback }.flatMap(\.ports)
  }

  /// The device that records a source of the plan; nil where none does.
  func recorder(ofSource index: Int) -> String? {
    if let capture, capture.sources.contains(index) { return capture.device }
    return following.first { $0.direction == .capture && $0.ports.contains(index) }?.device
  }

  init(of compiled: CompiledChain, _ request: RenderRequest) throws(ChainFailure) {
    let sinks = compiled.plan.sinks.compactMap { compiled.endpoint(ofSink: $0) }
    let sources = compiled.plan.sources.map { compiled.endpoint(ofSource: $0) }
    let played = try Self.played(sinks, request)
    var recorded: [End] = []
    for (index, endpoint) in sources.enumerated() {
      guard let endpoint, request.records(endpoint) else { continue }
      let end = End(
        device: request.live.recordingDevice(endpoint), ports: [index],
        setsPace: endpoint.setsPace)
      if let place = recorded.firstIndex(where: { $0.device == end.device }) {
        recorded[place].ports.append(index)
        recorded[place].setsPace = recorded[place].setsPace || end.setsPace
      } else {
        recorded.append(end)
      }
    }
    arrange(played, recorded)
  }

  private mutating func arrange(_ played: [End], _ recorded: [End]) {
    let recordsPace = recorded.firstIndex(where: \.setsPace)
    var main =
      played.firstIndex(where: \.setsPace) ?? (recordsPace == nil ? played.indices.first : nil)
    var input = recordsPace ?? recorded.indices.first
    if let recordsPace {
      main = played.firstIndex { $0.device == recorded[recordsPace].device }
    } else if let main, let same = recorded.firstIndex(where: { $0.device == played[main].device })
    {
      input = same
    }
    playback = main.map { (played[$0].ports[0], played[$0].device) }
    capture = input.map { (recorded[$0].ports, recorded[$0].device) }
    for (index, end) in played.enumerated() where index != main {
      following.append(Follower(device: end.device, direction: .playback, ports: end.ports))
    }
    for (index, end) in recorded.enumerated() where index != input {
      following.append(Follower(device: end.device, direction: .capture, ports: end.ports))
    }
  }

  /// True where a sink is played: the chain names a device, or `default` plays an output that nothing
  /// is bound to.
  static func play(_ sinks: [SinkEndpoint], _ request: RenderRequest) throws(ChainFailure) -> Bool {
    try !played(sinks, request).isEmpty
  }

  /// `-o` takes the place of a device where the chain has no main output.
  private static func played(
    _ sinks: [SinkEndpoint], _ request: RenderRequest
  ) throws(ChainFailure) -> [End] {
    guard request.memory == nil else { return [] }
    var outputNames: Set<String> = []
    var ends: [End] = []
    for (index, endpoint) in sinks.enumerated() {
      switch endpoint.nature {
      case .bound:
        outputNames.insert(endpoint.target)
        if request.outputs[endpoint.target] == nil, request.sampleOutputs[endpoint.target] == nil {
          ends.append(
            End(device: request.live.playbackDevice("default"), ports: [index], setsPace: false))
        }
      case .device:
        ends.append(
          End(
            device: request.live.playbackDevice(endpoint.target), ports: [index],
            setsPace: endpoint.setsPace))
      case .file, .stream, .discarded: break
      }
    }
    let named = Set(request.outputs.keys).union(request.sampleOutputs.keys)
    for name in named.sorted() where !outputNames.contains(name) {
      // `-o` in place of the one device.
      if name == "main", ends.count == 1, case .device = sinks[ends[0].ports[0]].nature {
        return []
      }
      let known = outputNames.isEmpty ? "none" : outputNames.sorted().joined(separator: ", ")
      throw ChainFailure(
        .request, code: "unknown-output",
        "the chain has no output '\(name)' (its outputs: \(known))", path: request.outputs[name])
    }
    for (index, end) in ends.enumerated()
    where ends[..<index].contains(where: { $0.device == end.device }) {
      throw ChainFailure(
        .request, code: "several-sinks",
        "several sinks of the chain play on the sound device '\(end.device)': give all but one of "
          + "them a file with --output name=FILE, or a device of their own",
        path: end.device)
    }
    return ends
  }
}

extension LiveSettings {
  func playbackDevice(_ name: String) -> String { name == "default" ? device ?? name : name }

  func recordingDevice(_ endpoint: SourceEndpoint) -> String {
    if endpoint.nature == .device, endpoint.target != "default" { return endpoint.target }
    return captureDevice ?? device ?? "default"
  }
}
