import FxAudio
import FxChain
import FxEngine
import FxPlaying

/// The sound devices of a chain: the one that drives the chain, and those that follow it.
///
/// The clock is the device with `"clock": true`, otherwise the first playback device, otherwise the
/// first capture device. A playback clock is paired with the capture end of the same device, or
/// else with the first capture device. A capture clock is paired only with the playback end of the
/// same device. A pair works as the two ends of one device. Every other device follows, resampled.
struct ChainDevices {
  /// The sink that plays on the clock device, with the device's name.
  var playback: (index: Int, device: String)?
  /// The sources that are recorded together with it, with the device's name.
  var capture: (sources: [Int], device: String)?
  var following: [Follower] = []

  struct Follower {
    var device: String
    var direction: DeviceDirection
    /// The sink that it plays, or the sources that it records.
    var ports: [Int]
  }

  /// The playback or capture end of a device, as the chain names it.
  private struct End {
    var device: String
    var ports: [Int]
    var setsPace: Bool
  }

  var isEmpty: Bool { playback == nil && capture == nil }

  /// All sinks that play on a device.
  var sinks: [Int] {
    (playback.map { [$0.index] } ?? [])
      + following.filter { $0.direction == .playback }.flatMap(\.ports)
  }

  /// The channels of the device that plays a sink. At least two: mono plays on both sides.
  static func width(of sink: RenderPlan.Port) -> Int { max(2, sink.buffers.count) }

  /// The device that records a source of the plan; nil if there is none.
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

  /// True if a sink plays on a device: the chain names a device, or `default` plays an unbound
  /// output.
  static func play(_ sinks: [SinkEndpoint], _ request: RenderRequest) throws(ChainFailure) -> Bool {
    try !played(sinks, request).isEmpty
  }

  /// The sinks that play on devices. `-o` replaces the only device if the chain has no main output.
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
      // `-o` replaces the one device.
      if name == "main", ends.count == 1, case .device = sinks[ends[0].ports[0]].nature {
        return []
      }
      let known = outputNames.isEmpty ? "none" : outputNames.sorted().joined(separator: ", ")
      throw ChainFailure(
        .request, code: .unknownOutput,
        "the chain has no output '\(name)' (its outputs: \(known))", path: request.outputs[name])
    }
    for (index, end) in ends.enumerated()
    where ends[..<index].contains(where: { $0.device == end.device }) {
      throw ChainFailure(
        .request, code: .severalSinks,
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
