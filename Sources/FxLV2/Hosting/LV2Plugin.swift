import CRealtime
import FxAudio
import Glibc

/// An installed plugin that fxrun can host: its description, and how instances of it are made.
struct LV2Plugin: Sendable {
  let description: LV2Description
  let spec: UnitSpec
  let parameters: [LV2ParameterReader]
  let states: LV2StateStore
  let log: LV2LogHandler

  init(
    description: LV2Description, states: LV2StateStore, log: @escaping LV2LogHandler
  ) {
    self.description = description
    self.states = states
    self.log = log
    parameters = description.distinctParameters
    spec = description.unitSpec
  }

  /// Makes a prepared instance. A plugin with one input and one output channel gets one instance
  /// per channel of a wider signal.
  func make(_ preparation: Preparation) throws(Failure) -> UnitInstance {
    var start = try LV2Start(description, preparation.setup, states)
    try checkRates(preparation, start)
    try checkBlocks(preparation)
    let channels = try voiceChannels(preparation, start)
    let library = try LV2Library.load(description)
    let memory = LV2Memory()
    let controls = memory.floats(description.ports.count)
    setControls(controls, preparation, start)
    let probe = try probe(library, preparation, controls, start)
    start.isAtRest = probe?.hadJobs == false
    let latency = latency(probe, preparation)
    var instances: [LV2Instance] = []
    for channels in channels {
      instances.append(
        try LV2Instance(
          description, library, preparation, channels: channels, controls: controls,
          worksInline: !preparation.isLive, start: start, log: log))
    }
    let board = ReadingBoard(cellCount: spec.readingCellCount(preparation.outputWidths))
    let properties = preparation.isLive ? LV2PropertyQuestions(description, states) : nil
    var kernel = LV2Kernel(
      voices: memory.buffer(instances.map(\.voice)), controls: controls,
      parameters: memory.buffer(
        parameters.enumerated().map {
          kernelParameter($1, start: startValue($0, preparation), preparation, start)
        }),
      readings: memory.buffer(kernelReadings),
      controlSignals: memory.buffer(controlSignals(preparation)), board: board,
      events: LV2EventFeed(description, preparation, in: memory).map { memory.pointer(to: $0) },
      properties: properties?.exchange,
      followed: memory.buffer(followedPorts(preparation, start)),
      isCutAtChanges: parameters.contains { $0.port.timeRole != nil }
        && !description.wantsFixedBlocks)
    let monitor = description.latencyPort.map { _ in UnitMonitor(latency: latency) }
    if let monitor, let port = description.latencyPort {
      kernel.latency = (monitor, port.index)
      kernel.longestLatency = Float(preparation.sampleRate * LV2Plugin.longestLatency)
    }
    let state = UnsafeMutablePointer<LV2Kernel>.allocate(capacity: 1)
    state.initialize(to: kernel)
    var ask: (@Sendable (String, Double) -> PluginSetup.Value?)?
    if let properties { ask = { properties.value(of: $0, within: $1) } }
    let owner = Owner(instances: instances, memory: memory, controls: controls)
    return UnitInstance(
      spec: spec, state: UnsafeMutableRawPointer(state), entry: LV2Kernel.entry,
      latency: latency, tail: .unknown, readings: board, inbox: preparation.inbox, monitor: monitor,
      restart: { owner.restart() }, controls: owner.portValues(description),
      property: ask
    ) { state in
      owner.end()
      properties?.exchange.destroy()
      state.assumingMemoryBound(to: LV2Kernel.self).deallocate()
    }
  }

  /// Keeps the instances until the unit is freed.
  private final class Owner: @unchecked Sendable {
    // Sendable: used on the control thread only.
    private var instances: [LV2Instance]
    private let memory: LV2Memory
    private let controls: UnsafeMutablePointer<Float>

    init(
      instances: [LV2Instance], memory: LV2Memory, controls: UnsafeMutablePointer<Float>
    ) {
      self.instances = instances
      self.memory = memory
      self.controls = controls
    }

    /// Returns a function that reads the current values of the control inputs.
    func portValues(_ description: LV2Description) -> @Sendable () -> [PluginState.Port] {
      let ports = description.ports.filter { $0.kind == .control && $0.isInput }
      return { [self] in
        ports.map { PluginState.Port(symbol: $0.symbol, value: Double(controls[$0.index])) }
      }
    }

    func restart() {
      for instance in instances { instance.restart() }
    }

    func end() { instances = [] }
  }

  // MARK: Controls

  /// Sets every control input to its first value: the chain's value for parameters; for other ports
  /// the value that fxrun controls, or the plugin's default.
  func setControls(
    _ controls: UnsafeMutablePointer<Float>, _ preparation: Preparation, _ start: LV2Start
  ) {
    for port in description.ports
    where (port.kind == .control || port.kind == .cv) && port.isInput {
      switch port.role {
      case .enabled: controls[port.index] = 1
      case .freeWheeling: controls[port.index] = preparation.isLive ? 0 : 1
      default:
        let reader = LV2ParameterReader(port: port)
        let value = reader.spec.defaultValue
        controls[port.index] = kernelParameter(reader, start: value, preparation, start)
          .portValue(Float(value))
      }
    }
    for (index, reader) in parameters.enumerated() {
      let value = startValue(index, preparation)
      controls[reader.port.index] = kernelParameter(reader, start: value, preparation, start)
        .portValue(Float(value))
    }
  }

  /// The control inputs that follow the musical time because the chain does not set them.
  private func followedPorts(_ preparation: Preparation, _ start: LV2Start) -> [LV2FollowedPort] {
    parameters.enumerated().compactMap { index, reader in
      guard let role = reader.port.timeRole,
        !preparation.setup.setParameters.contains(spec.parameters[index].id)
      else { return nil }
      let value = startValue(index, preparation)
      let parameter = kernelParameter(reader, start: value, preparation, start)
      return LV2FollowedPort(
        role: role, port: reader.port.index, slot: index, start: Float(value), low: parameter.low,
        high: parameter.high)
    }
  }

  func startValue(_ index: Int, _ preparation: Preparation) -> Double {
    index < preparation.parameters.count
      ? preparation.parameters[index] : spec.parameters[index].defaultValue
  }

  /// `start` is the value that the parameter starts with.
  func kernelParameter(
    _ reader: LV2ParameterReader, start: Double, _ preparation: Preparation, _ given: LV2Start
  ) -> LV2Kernel.Parameter {
    let range = reader.portRange(sampleRate: preparation.sampleRate)
    let spec = reader.spec
    let largest = Double(Float.greatestFiniteMagnitude)
    let low = Float(max(range.lowerBound, -largest))
    let high = Float(min(range.upperBound, largest))
    let standard = reader.portDefault(sampleRate: preparation.sampleRate)
    // A preset's value reaches the port unchanged, neither rounded nor clamped.
    if let stored = given.stored(start, for: reader) {
      return LV2Kernel.Parameter(
        port: reader.port.index, scale: reader.scale, low: low, high: max(low, high),
        standard: Float(stored), standardValue: Float(start),
        isWhole: spec.isInteger || spec.isToggle)
    }
    // A default that depends on the sample rate applies only where the chain starts with it.
    let isStandard = !reader.isRelative || start == spec.defaultValue
    return LV2Kernel.Parameter(
      port: reader.port.index, scale: reader.scale, low: low, high: max(low, high),
      standard: Float(min(max(standard, -largest), largest)),
      standardValue: isStandard ? Float(spec.defaultValue) : .nan,
      isWhole: spec.isInteger || spec.isToggle)
  }

  private var kernelReadings: [LV2Kernel.Reading] {
    description.readingPorts.map {
      LV2Kernel.Reading(port: $0.index, factor: Float(1 / $0.measure.scale))
    }
  }

  /// The readings that the chain uses as signals, each on a channel after the plugin's own
  /// channels.
  private func controlSignals(_ preparation: Preparation) -> [LV2Kernel.ControlSignal] {
    let first = preparation.outputWidths.reduce(0, +) - preparation.controlReadings.count
    return preparation.controlReadings.enumerated().map { index, reading in
      let range = spec.readings[reading].range ?? -1e6...1e6
      return LV2Kernel.ControlSignal(
        reading: kernelReadings[reading], channel: first + index, low: Float(range.lowerBound),
        high: Float(range.upperBound))
    }
  }

  /// Refuses a start value outside of a port's range where that range depends on the sample rate.
  ///
  /// Defaults are not checked: they follow the sample rate.
  private func checkRates(_ preparation: Preparation, _ start: LV2Start) throws(Failure) {
    for (index, reader) in parameters.enumerated() where reader.isRelative {
      let value = startValue(index, preparation)
      let range = reader.portRange(sampleRate: preparation.sampleRate)
      guard value != spec.parameters[index].defaultValue, start.stored(value, for: reader) == nil
      else { continue }
      guard value < range.lowerBound * (1 - 1e-6) || value > range.upperBound * (1 + 1e-6) else {
        continue
      }
      throw Failure(
        .usage,
        "\(reader.port.symbol): \(LV2Plugin.number(value)) Hz is outside of "
          + "\(LV2Plugin.number(range.lowerBound))…\(LV2Plugin.number(range.upperBound)) Hz, "
          + "the range at a sample rate of \(LV2Plugin.number(preparation.sampleRate)) Hz")
    }
  }

  /// A number without a trailing `.0`.
  static func number(_ value: Double) -> String {
    guard abs(value) < 1e15, value == value.rounded() else { return "\(value)" }
    return "\(Int(value))"
  }

  // MARK: Latency

  /// In seconds; a longer reported latency is a mistake and is clamped.
  private static let longestLatency = 10.0

  /// A temporary instance that runs first, so that the rendering instance starts fresh. Many
  /// plugins report their latency only in `run`, and some ask their worker there to load the
  /// contents of a state. nil where there is nothing to find out.
  private func probe(
    _ library: LV2Library, _ preparation: Preparation, _ controls: UnsafeMutablePointer<Float>,
    _ start: LV2Start
  ) throws(Failure) -> LV2Instance? {
    guard description.latencyPort != nil || start.isInDoubt(description) else { return nil }
    return try LV2Instance(
      description, library, preparation,
      channels: LV2Instance.Channels(), controls: controls,
      worksInline: true, start: start, log: log)
  }

  /// The latency in frames, as the plugin reports it after a block of silence.
  private func latency(_ probe: LV2Instance?, _ preparation: Preparation) -> Int {
    guard let probe, let port = description.latencyPort else { return 0 }
    let frameCount = LV2Instance.nominalLength(preparation)
    LV2Instance.guarded(probe.features.place) { probe.voice.run(frameCount) }
    let frames = Double(probe.voice.controlOutputs[port.index])
    guard frames.isFinite, frames > 0 else { return 0 }
    return Int(min(frames, preparation.sampleRate * LV2Plugin.longestLatency).rounded())
  }
}
