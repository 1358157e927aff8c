import FxAudio
import FxEngine
package import FxKit
import FxMedia

/// Sends signals through a chain like a render, with plugins and with the latency removed.
package struct ChainProbe: Sendable {
  /// The input channels that receive the signal.
  package enum Feed: Sendable, Equatable {
    case all
    /// A channel, from 0.
    case channel(Int)
    /// The first two channels, in opposite polarity.
    case sides
  }

  package var chain: Chain
  package var settings: [RenderRequest.Setting] = []
  package var scene: String?
  /// Sample rate where the chain does not set one.
  package var sampleRate = 48000.0
  package var channels = 2
  package var feed = Feed.all
  /// The input that receives the signal; the others are silent.
  package var input = "main"
  /// The output to measure; nil for `main`, or the only one.
  package var output: String?

  /// Seconds of silence before each signal, in which plugins reach their settings. They are not
  /// part of the result.
  var settling = 0.0

  package init(_ chain: Chain) { self.chain = chain }

  /// The output of the chain, with the length of the input.
  struct Result: Sendable {
    var sound: Sound
    var output: String
    var otherOutputs: [String]
    /// Frames of latency that were removed.
    var latency: Int
    var faults: [String]
    var hasPlugins: Bool
  }

  func render(_ signal: [Float]) throws(ChainFailure) -> Result {
    let silentCount = Int(settling * sampleRate)
    let samples = [Float](repeating: 0, count: silentCount) + signal
    let (gains, input, rate) = (gains, input, sampleRate)
    let silence = gains.map { _ in Float(0) }
    var memory = MemoryEndpoints { name in
      ProbeSource(name, samples, gains: name == input ? gains : silence, sampleRate: rate)
    }
    memory.device = { channels in
      let count = channels ?? gains.count
      let own = (0..<count).map { gains.indices.contains($0) ? gains[$0] : 0 }
      return ProbeSource(
        input, samples, gains: input == "main" ? own : own.map { _ in 0 }, sampleRate: rate)
    }
    var request = RenderRequest()
    request.memory = memory
    request.settings = settings
    request.scene = scene
    request.tail = 0
    request.duration = Double(samples.count) / rate
    let job = try RenderJob(chain, request)
    try checkInput(of: job.compiled)
    let summary = try job.render()
    let outputs = memory.outputs
    let wanted = output ?? (outputs.contains { $0.name == "main" } ? "main" : outputs.first?.name)
    guard let found = outputs.first(where: { $0.name == wanted }) else {
      let names = outputs.map { "'\($0.name)'" }.joined(separator: ", ")
      throw ChainFailure(
        .request, code: .unknownOutput,
        "the chain has no output '\(wanted ?? "main")' "
          + "(its outputs: \(names.isEmpty ? "none" : names))")
    }
    var sound = Sound(channels: found.sink.channels, sampleRate: found.sink.format.sampleRate)
    for channel in sound.channels.indices {
      let missing = samples.count - sound.channels[channel].count
      if missing > 0 { sound.channels[channel] += [Float](repeating: 0, count: missing) }
      sound.channels[channel].removeFirst(silentCount)
    }
    return Result(
      sound: sound, output: found.name,
      otherOutputs: outputs.map(\.name).filter { $0 != found.name }, latency: summary.latencyFrames,
      faults: summary.faults.map(\.description),
      hasPlugins: job.compiled.resolved.graph.nodes.contains { node in
        if case .unit(let unit) = node.content, case .lv2 = unit.kind { true } else { false }
      })
  }

  private var gains: [Float] {
    (0..<channels).map { channel in
      switch feed {
      case .all: 1
      case .channel(let own): channel == own ? 1 : 0
      case .sides: channel == 0 ? 1 : (channel == 1 ? -1 : 0)
      }
    }
  }

  /// Throws if the chain does not have the input.
  private func checkInput(of compiled: CompiledChain) throws(ChainFailure) {
    var names: [String] = []
    var hasDevice = false
    for source in compiled.plan.sources {
      guard let endpoint = compiled.endpoint(ofSource: source) else { continue }
      if let name = endpoint.inputName {
        names.append(name)
      } else if endpoint.nature == .device || endpoint.nature == .stream {
        hasDevice = true
      }
    }
    guard !names.contains(input), !(hasDevice && input == "main") else { return }
    if names.isEmpty, !hasDevice {
      throw ChainFailure(
        .request, code: .noInput,
        "the chain takes no sound: it plays files, MIDI or signals, so there is nothing to compare "
          + "its output with")
    }
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    throw ChainFailure(
      .request, code: .unknownInput,
      "the chain has no input '\(input)' (its inputs: \(list.isEmpty ? "a device" : list))",
      hints: names.first.map { ["--input \($0) feeds that one"] } ?? [])
  }
}
