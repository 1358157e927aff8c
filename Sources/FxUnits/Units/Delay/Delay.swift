package import FxAudio

/// Repeats the signal after a time, each repetition quieter than the one before.
///
/// The output has only the echoes; the node's `wet` adds the dry signal. Fractional delays are
/// interpolated with windowed sincs (`SincTable`), so that high frequencies survive many
/// repetitions.
package struct Delay: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "delay", name: "Delay", summary: "Repeats the signal after a time.", category: "space",
    revision: 2,
    parameters: [
      ParameterSpec(
        "time", "Time from one echo to the next.", .seconds, 0.001...5, default: 0.35,
        smoothing: .glide(seconds: 0.15)),
      ParameterSpec(
        "feedback", "How much of each echo is repeated.", .ratio, 0...0.98, default: 0.35),
      .frequency(
        "highCut", "Where the echoes lose their treble; 20 kHz keeps it.", 200...20000,
        default: 20000),
      .frequency(
        "lowCut", "Where the echoes lose their bass; 10 Hz keeps it.", 10...2000, default: 10),
      ParameterSpec(
        "rightTime", "The time of every second channel, as a multiple of `time`; at most 5 s.",
        .ratio, 0.25...4, default: 1, smoothing: .glide(seconds: 0.15)),
      ParameterSpec(
        "modulationRate", "How often the delay time moves.", .hertz, 0.05...10, default: 0.5,
        smoothing: .glide(seconds: 0.1)),
      ParameterSpec(
        "modulationDepth", "How far the delay time moves to either side.", .seconds, 0...0.01,
        default: 0,
        smoothing: .ramp(seconds: 0.2)),
    ],
    options: [
      OptionSpec(
        "pingPong", "Whether echoes start on the first channel and move on with each repetition.",
        .flag, default: .flag(false)),
      OptionSpec(
        "change",
        "How the delay time changes: glide bends the pitch as tape does, crossfade keeps it.",
        .choice(["glide", "crossfade"]), default: .text("glide")),
    ],
    presets: [
      UnitPreset(
        "slapback", "One short repetition.", ["time": 0.11, "feedback": 0, "highCut": 6000]),
      UnitPreset(
        "tape", "Echoes that waver and grow dull and thin.",
        [
          "time": 0.38, "feedback": 0.5, "highCut": 2800, "lowCut": 180, "modulationRate": 0.6,
          "modulationDepth": 0.0004,
        ]),
      UnitPreset(
        "ping-pong", "Echoes that change sides.", ["time": 0.3, "feedback": 0.45],
        options: ["pingPong": .flag(true)]),
      UnitPreset(
        "wide", "A time of its own on each side.",
        ["time": 0.4, "feedback": 0.4, "rightTime": 0.75, "highCut": 8000, "lowCut": 100]),
      UnitPreset(
        "doubler", "A second voice beside the first.",
        [
          "time": 0.022, "feedback": 0, "rightTime": 1.3, "modulationRate": 0.35,
          "modulationDepth": 0.0015,
        ]),
    ],
    wet: 0.35)

  package struct Parameters: BitwiseCopyable {
    let time: ParameterSignal
    let feedback: ParameterSignal
    let highCut: ParameterSignal
    let lowCut: ParameterSignal
    let rightTime: ParameterSignal
    let modulationRate: ParameterSignal
    let modulationDepth: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Delay.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Delay.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Delay.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false })

  private let sampleRate: Double
  private let highestFrequency: Float
  private let channelCount: Int
  private let isPingPong: Bool
  /// Frames that are processed together: the input of their echoes must already be in the line.
  private let chunk: Int
  private let echoes: SampleBuffer
  private let written: SampleBuffer
  /// A contiguous window of the line.
  private let window: SampleBuffer
  private let table = SincTable(isPassive: true)
  /// One per pair of channels.
  private let cuts: UnsafeMutablePointer<OnePoleCut>
  private var times: DelayTimes
  private var line: DelayLine
  private var grid = ControlGrid()
  private var highCut = ControlValue()
  private var lowCut = ControlValue()
  private var edges: OnePoleCut.Edges

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    highestFrequency = Float(0.999 * RateLimit.highest(sampleRate: sampleRate))
    channelCount = preparation.channelCount
    isPingPong = preparation.flag("pingPong") ?? false
    chunk = Self.chunk(sampleRate)
    echoes = SampleBuffer(count: channelCount * chunk)
    written = SampleBuffer(count: chunk)
    window = SampleBuffer(count: chunk + 2 * SincTable.reach)
    cuts = .allocate(capacity: channelCount / 2 + 1)
    cuts.initialize(repeating: OnePoleCut(), count: channelCount / 2 + 1)
    times = DelayTimes(
      preparation, minimum: Self.minimumDelay(sampleRate),
      maximum: Self.maximumDelay(sampleRate), capacity: chunk)
    line = DelayLine(
      channelCount: channelCount, maximumDelay: Self.maximumDelay(sampleRate) + SincTable.reach,
      maximumFrameCount: chunk)
    edges = OnePoleCut.Edges(highCut: nil, lowCut: 0, sampleRate: sampleRate)
  }

  deinit {
    cuts.deallocate()
  }

  private static func minimumDelay(_ sampleRate: Double) -> Int {
    max(SincTable.reach, Int(0.001 * sampleRate))
  }
  private static func maximumDelay(_ sampleRate: Double) -> Int { Int(5 * sampleRate) + 1 }
  private static func chunk(_ sampleRate: Double) -> Int {
    min(64, minimumDelay(sampleRate) - SincTable.reach + 1)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let (channels, rate) = (preparation.channelCount, preparation.sampleRate)
    let chunk = chunk(rate)
    return UnitTraits(
      tail: tail(of: preparation), recall: maximumDelay(rate),
      memory: SampleBuffer.byteCount(count: channels * chunk)
        + SampleBuffer.byteCount(count: chunk)
        + SampleBuffer.byteCount(count: chunk + 2 * SincTable.reach)
        + SincTable.byteCount() + DelayTimes.byteCount(capacity: chunk)
        + (channels / 2 + 1) * MemoryLayout<OnePoleCut>.stride
        + DelayLine.byteCount(
          channelCount: channels, maximumDelay: maximumDelay(rate) + SincTable.reach,
          maximumFrameCount: chunk))
  }

  /// The time until the echoes are below -90 dB, at most a minute.
  private static func tail(of preparation: Preparation) -> Tail {
    let values = preparation.parameters
    func value(_ index: Int) -> Double {
      values.count > index ? values[index] : spec.parameters[index].defaultValue
    }
    let longest = max(1, preparation.channelCount > 1 ? value(4) : 1)
    let time = min(value(0) * longest + value(6), 5)
    let feedback = value(1)
    let loss = feedback > 0 ? -Math.decibels(amplitude: min(feedback, 0.98)) : 90
    // The low cut rings until it has fallen by 90 dB.
    let lowCut = value(3)
    let ring = lowCut > 10 ? 10.4 / (2 * Double.pi * lowCut) : 0
    // The interpolation reaches a little beyond the last echo.
    let reach = Double(SincTable.reach) / preparation.sampleRate
    // Echoes of a lasting sound add up.
    let sum = -Math.decibels(amplitude: 1 - min(max(feedback, 0), 0.98))
    let repeats = 1 + ((90 + sum) / loss).rounded(.up)
    let seconds = min(max((time + reach) * repeats + ring, 0), 60)
    return .frames(Int((seconds * preparation.sampleRate).rounded(.up)))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let isModulated = parameters.highCut.isModulated || parameters.lowCut.isModulated
    times.begin()
    var frame = 0
    while frame < block.frameCount {
      if grid.isDue(block.frame &+ frame, isModulated: isModulated) {
        update(parameters, at: frame)
      }
      let isSettled =
        highCut.isSettled(parameters.highCut) && lowCut.isSettled(parameters.lowCut)
      let end =
        isSettled ? block.frameCount : grid.pieceEnd(block, after: frame, isModulated: isModulated)
      let count = min(end &- frame, chunk)
      process(block, parameters, from: frame, count: count)
      frame &+= count
    }
  }

  @_noLocks
  private mutating func update(_ parameters: Parameters, at frame: Int) {
    let hasHighCut = highCut.take(parameters.highCut, frame)
    let hasLowCut = lowCut.take(parameters.lowCut, frame)
    guard hasHighCut || hasLowCut else { return }
    edges = OnePoleCut.Edges(
      openHighCut: highCut.value, openLowCut: lowCut.value, highest: highestFrequency,
      sampleRate: sampleRate)
  }

  @_noLocks
  private mutating func process(
    _ block: RenderBlock, _ parameters: Parameters, from frame: Int, count: Int
  ) {
    let motion = times.set(block, parameters, from: frame, count: count)
    readEchoes(motion, count: count)
    for channel in 0..<channelCount {
      let written = written.samples
      EchoInput.mix(
        block, channel, of: channelCount, isPingPong: isPingPong, into: written, from: frame,
        count: count)
      let before = channel > 0 ? channel &- 1 : channelCount &- 1
      EchoInput.add(
        echoes.samples + (isPingPong ? before : channel) &* chunk, times: parameters.feedback,
        to: written, from: frame, count: count)
      line.write(written, channel: channel, frameCount: count)
    }
    for channel in 0..<channelCount {
      (block.outputs[channel] + frame).update(
        copying: echoes.samples + channel &* chunk, count: count)
    }
    line.advance(count)
  }

  /// Reads the echoes of every channel and applies the high cut and the low cut.
  @_noLocks
  private mutating func readEchoes(_ motion: DelayTimes.Motion, count: Int) {
    for channel in 0..<channelCount {
      read(channel, motion, into: echoes.samples + channel &* chunk, count: count)
    }
    for channel in stride(from: 0, to: channelCount, by: 2) {
      // A last channel without a partner is paired with itself.
      let first = echoes.samples + channel &* chunk
      let second = channel &+ 1 < channelCount ? first + chunk : first
      cuts[channel / 2].process(first, second, count: count, edges: edges)
    }
  }

  @_noLocks
  private func read(
    _ channel: Int, _ motion: DelayTimes.Motion, into echo: UnsafeMutablePointer<Float>, count: Int
  ) {
    let side = channel & 1
    let delays = times.delays(side: side)
    switch motion {
    case .still:
      line.readSinc(
        into: echo, channel: channel, delay: delays[0], table: table, copy: window.samples,
        frameCount: count)
    case .moving, .fading:
      line.readSinc(
        into: echo, channel: channel, delays: delays, table: table, frameCount: count)
      guard case .fading = motion else { return }
      let next = written.samples
      line.readSinc(
        into: next, channel: channel, delays: times.delays(side: side, isTarget: true),
        table: table, frameCount: count)
      let shares = times.shares.samples
      for index in 0..<count { echo[index] += shares[index] * (next[index] - echo[index]) }
    }
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    guard highCut.isSettled(parameters.highCut), lowCut.isSettled(parameters.lowCut),
      times.isSettled(parameters), line.isSilent
    else { return false }
    for pair in 0...channelCount / 2 where !cuts[pair].isAtRest { return false }
    return true
  }

  @_noLocks
  package mutating func reset() {
    grid.reset()
    times.reset()
    line.clear()
    for pair in 0...channelCount / 2 { cuts[pair].clear() }
  }
}
