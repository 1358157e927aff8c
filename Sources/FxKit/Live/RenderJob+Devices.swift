import CRealtime
import FxAudio
import FxChain
import FxEngine
import FxPlaying

/// Opens the devices of a chain, and builds its graph for them.
extension RenderJob {
  /// Opens the clock device, then those that follow it.
  func open(
    waitsForReturn: Bool,
    _ open: (SoundDevice.Request) throws(ChainFailure) -> SoundDevice
  ) throws(ChainFailure) -> OpenedDevices {
    let asked = asked(waitsForReturn: waitsForReturn)
    let main = try open(asked)
    var others: [(ChainDevices.Follower, SoundDevice)] = []
    for follower in devices.following {
      others.append((follower, try open(self.asked(follower, beside: main, asked))))
    }
    return OpenedDevices(main: main, others: others)
  }

  /// The request for a following device: with the sample rate and buffer of the clock device.
  private func asked(
    _ follower: ChainDevices.Follower, beside main: SoundDevice, _ mainAsked: SoundDevice.Request
  ) -> SoundDevice.Request {
    var asked = SoundDevice.Request()
    switch follower.direction {
    case .playback: ask(follower.device, toPlay: follower.ports[0], &asked)
    case .capture: ask(follower.device, toRecord: follower.ports, &asked)
    }
    asked.sampleRate = main.sampleRate
    asked.periodFrameCount = mainAsked.periodFrameCount
    asked.periodCount = mainAsked.periodCount
    asked.isDithered = mainAsked.isDithered
    asked.waitsForReturn = mainAsked.waitsForReturn
    return asked
  }

  private func ask(_ device: String, toPlay sink: Int, _ asked: inout SoundDevice.Request) {
    let port = compiled.plan.sinks[sink]
    asked.playback = SoundDevice.End(device, channelCount: ChainDevices.width(of: port))
    asked.soundChannelCount = port.buffers.count
  }

  private func ask(_ device: String, toRecord sources: [Int], _ asked: inout SoundDevice.Request) {
    let width = sources.map { compiled.plan.sources[$0].buffers.count }.max() ?? 2
    asked.capture = SoundDevice.End(device, channelCount: width)
  }

  /// The graph that was built at the start, if the devices agreed to its rate and widths; otherwise
  /// a new graph from the same files.
  func outline(
    for opened: OpenedDevices, _ settings: CompiledChain.Settings
  ) throws(ChainFailure) -> CompiledChain {
    let formats = opened.recordedFormats
    let isAsWide = compiled.plan.sources.indices.allSatisfy { source in
      guard let name = devices.recorder(ofSource: source) else { return true }
      let port = compiled.plan.sources[source]
      let width = formats[name]?.channelCount ?? 0
      let channels = compiled.endpoint(ofSource: port)?.channels
      return width >= channels ?? 0 && (channels != nil || port.buffers.count == width)
    }
    guard opened.main.sampleRate == compiled.sampleRate, isAsWide else {
      return try read.builder.outline(settings)
    }
    var built = compiled.built
    built.sampleRate = opened.main.sampleRate
    // Diagnostics of layouts are found again.
    let found = Diagnostics(compiled.diagnostics.all.filter { $0.code != .layout })
    return try CompiledChain(outlineOf: built, found, settings)
  }

  /// The request for the clock device.
  private func asked(waitsForReturn: Bool) -> SoundDevice.Request {
    let settings = request.live
    var asked = SoundDevice.Request()
    if let (sink, device) = devices.playback { ask(device, toPlay: sink, &asked) }
    if let (sources, device) = devices.capture { ask(device, toRecord: sources, &asked) }
    let block = request.blockSize ?? compiled.built.blockSize
    asked.sampleRate = compiled.sampleRate
    asked.blockFrameCount = block
    asked.isDithered = request.encoding.isDithered
    asked.waitsForReturn = settings.waitsForDevice ?? waitsForReturn
    // Monitoring needs a low latency, file playback a safe buffer; in a pure recording nobody hears
    // the latency.
    let (period, periods) =
      devices.capture == nil
      ? (CompiledChain.defaultBlockSize, 3) : devices.sinks.isEmpty ? (1024, 4) : (128, 3)
    asked.periodFrameCount = settings.period ?? block ?? period
    asked.periodCount = settings.periods ?? periods
    return asked
  }

  /// Says why the device cannot be opened, and for an extra output why it is needed.
  func failure(_ error: Failure) -> ChainFailure {
    if let (sink, device) = devices.playback, error.path == device,
      let name = compiled.endpoint(ofSink: compiled.plan.sinks[sink])?.outputName,
      name != "main"
    {
      return ChainFailure(
        .device, codeText: error.code.rawValue,
        "the chain's output '\(name)' has no file (--output \(name)=FILE) and so is played: "
          + error.description, path: error.path)
    }
    return ChainFailure(error, .device)
  }
}

/// The opened devices of a chain.
struct OpenedDevices {
  /// The clock device.
  let main: SoundDevice
  let others: [(ChainDevices.Follower, SoundDevice)]

  /// The recording formats, by the device's name.
  var recordedFormats: [String: StreamFormat] {
    var formats: [String: StreamFormat] = [:]
    for device in [main] + others.map(\.1) {
      guard let end = device.request.capture, let agreement = device.capture else { continue }
      // A device with another rate is resampled.
      formats[end.name] = StreamFormat(
        sampleRate: main.sampleRate, channelCount: min(end.channelCount, agreement.channelCount))
    }
    return formats
  }

  /// The differences between requested and actual settings, a sentence each.
  var differences: [String] {
    var sentences = main.differences
    for (follower, device) in others {
      let verb = follower.direction == .playback ? "plays" : "records"
      sentences.append(
        "'\(device.name)' \(verb) beside '\(main.name)', whose clock sets the pace; it is resampled "
          + "to keep in step")
      sentences += device.differences
    }
    return sentences
  }

  /// The following devices, each with the sink that it plays or the sources that it records.
  func following(
    blockFrameCount: Int?
  ) throws(ChainFailure) -> [(device: FollowingDevice, sink: Int?, sources: [Int])] {
    let block = blockFrameCount ?? CompiledChain.defaultBlockSize
    var following: [(device: FollowingDevice, sink: Int?, sources: [Int])] = []
    for (follower, device) in others {
      do throws(Failure) {
        let made = try FollowingDevice(
          device, sampleRate: main.sampleRate, blockFrameCount: block,
          patience: max(main.bufferSeconds - Double(block) / main.sampleRate, 0))
        let plays = follower.direction == .playback
        following.append((made, plays ? follower.ports[0] : nil, plays ? [] : follower.ports))
      } catch {
        throw ChainFailure(error, .device)
      }
    }
    return following
  }
}
