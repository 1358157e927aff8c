import FxAudio

/// The delay before revision 2.
///
/// The output has only the echoes; the node's `wet` adds the dry signal. The time glides like the
/// speed of a tape machine: the pitch bends while it changes.
struct CubicDelay: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "delay", name: "Delay", summary: "Repeats the signal after a time.", category: "space",
    parameters: [
      ParameterSpec(
        "time", "Time from one echo to the next.", .seconds, 0.001...5, default: 0.35,
        smoothing: .glide(seconds: 0.15)),
      ParameterSpec(
        "feedback", "How much of each echo is repeated.", .ratio, 0...0.98, default: 0.35),
      .frequency("highCut", "Where the echoes lose their treble.", 200...20000, default: 8000),
      .frequency("lowCut", "Where the echoes lose their bass.", 10...2000, default: 80),
    ],
    options: [
      OptionSpec(
        "pingPong", "Whether echoes start on the first channel and move on with each repetition.",
        .flag, default: .flag(false))
    ],
    presets: [
      UnitPreset(
        "slapback", "One short repetition.", ["time": 0.11, "feedback": 0, "highCut": 6000]),
      UnitPreset(
        "tape", "Echoes that grow dull and thin.",
        ["time": 0.38, "feedback": 0.5, "highCut": 2800, "lowCut": 180]),
      UnitPreset(
        "ping-pong", "Echoes that change sides.", ["time": 0.3, "feedback": 0.45],
        options: ["pingPong": .flag(true)]),
    ],
    wet: 0.35)

  package struct Parameters: BitwiseCopyable {
    let time: ParameterSignal
    let feedback: ParameterSignal
    let highCut: ParameterSignal
    let lowCut: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(CubicDelay.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(CubicDelay.self)?.pointee.reset() })

  private let sampleRate: Double
  private let channelCount: Int
  private let isPingPong: Bool
  private let minimumDelay: Int
  private let maximumDelay: Int
  /// Frames that are processed together, fewer than the shortest echo.
  private let chunk: Int
  private let echoes: SampleBuffer
  private let written: SampleBuffer
  private let delays: UnsafeMutablePointer<FractionalDelay>
  /// One per pair of channels.
  private let cuts: UnsafeMutablePointer<OnePoleCut>
  private var line: DelayLine
  private var grid = ControlGrid()
  private var highCut = ControlValue()
  private var lowCut = ControlValue()
  private var edges: OnePoleCut.Edges

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    isPingPong = preparation.flag("pingPong") ?? false
    minimumDelay = Self.minimumDelay(sampleRate)
    maximumDelay = Self.maximumDelay(sampleRate)
    chunk = Self.chunk(sampleRate)
    echoes = SampleBuffer(count: channelCount * chunk)
    written = SampleBuffer(count: chunk)
    delays = .allocate(capacity: chunk)
    delays.initialize(
      repeating: FractionalDelay(frames: 0, atLeast: minimumDelay, atMost: maximumDelay),
      count: chunk)
    cuts = .allocate(capacity: channelCount / 2 + 1)
    cuts.initialize(repeating: OnePoleCut(), count: channelCount / 2 + 1)
    line = DelayLine(
      channelCount: channelCount, maximumDelay: maximumDelay + 2, maximumFrameCount: chunk)
    edges = OnePoleCut.Edges(highCut: nil, lowCut: 0, sampleRate: sampleRate)
  }

  deinit {
    delays.deallocate()
    cuts.deallocate()
  }

  private static func minimumDelay(_ sampleRate: Double) -> Int { max(4, Int(0.001 * sampleRate)) }
  private static func maximumDelay(_ sampleRate: Double) -> Int { Int(5 * sampleRate) + 1 }
  private static func chunk(_ sampleRate: Double) -> Int { min(64, minimumDelay(sampleRate) - 1) }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let (channels, rate) = (preparation.channelCount, preparation.sampleRate)
    let chunk = chunk(rate)
    return UnitTraits(
      tail: tail(of: preparation), recall: maximumDelay(rate),
      memory: SampleBuffer.byteCount(count: channels * chunk)
        + SampleBuffer.byteCount(count: chunk) + chunk * MemoryLayout<FractionalDelay>.stride
        + (channels / 2 + 1) * MemoryLayout<OnePoleCut>.stride
        + DelayLine.byteCount(
          channelCount: channels, maximumDelay: maximumDelay(rate) + 2, maximumFrameCount: chunk))
  }

  /// The time until the echoes are below -90 dB, at most a minute.
  private static func tail(of preparation: Preparation) -> Tail {
    let values = preparation.parameters
    let time = values.count > 0 ? values[0] : Self.spec.parameters[0].defaultValue
    let feedback = values.count > 1 ? values[1] : Self.spec.parameters[1].defaultValue
    let loss = feedback > 0 ? -Math.decibels(amplitude: min(feedback, 0.98)) : 90
    // The low cut rings until it has fallen by 90 dB.
    let lowCut = values.count > 3 ? values[3] : Self.spec.parameters[3].defaultValue
    let ring = 10.4 / (2 * Double.pi * max(lowCut, 1))
    let seconds = min(max(time * (1 + (90 / loss).rounded(.up)) + ring, 0), 60)
    return .frames(Int((seconds * preparation.sampleRate).rounded(.up)))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let isModulated = parameters.highCut.isModulated || parameters.lowCut.isModulated
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
      highCut: highCut.value, lowCut: lowCut.value, sampleRate: sampleRate)
  }

  @_noLocks
  private mutating func process(
    _ block: RenderBlock, _ parameters: Parameters, from frame: Int, count: Int
  ) {
    readEchoes(parameters.time, from: frame, count: count)
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
  private mutating func readEchoes(_ time: ParameterSignal, from frame: Int, count: Int) {
    let isWhole = setDelays(time, from: frame, count: count)
    for channel in 0..<channelCount {
      let echo = echoes.samples + channel &* chunk
      if isWhole {
        line.read(into: echo, channel: channel, delay: delays[0].frames, frameCount: count)
      } else {
        line.readCubic(into: echo, channel: channel, delays: delays, frameCount: count)
      }
    }
    for channel in stride(from: 0, to: channelCount, by: 2) {
      // A last channel without a partner is paired with itself.
      let first = echoes.samples + channel &* chunk
      let second = channel &+ 1 < channelCount ? first + chunk : first
      cuts[channel / 2].process(first, second, count: count, edges: edges)
    }
  }

  /// Sets the delay of each frame; true if all are the same whole number.
  @_noLocks
  private func setDelays(_ time: ParameterSignal, from frame: Int, count: Int) -> Bool {
    if let samples = time.samples {
      for index in 0..<count {
        delays[index] = delay(of: samples[frame &+ index])
      }
      return false
    }
    let delay = delay(of: time.value)
    for index in 0..<count { delays[index] = delay }
    return delay.fraction == 0
  }

  @_noLocks
  private func delay(of time: Float) -> FractionalDelay {
    FractionalDelay(
      coarse: Double(time) * sampleRate, atLeast: minimumDelay, atMost: maximumDelay)
  }

  @_noLocks
  package mutating func reset() {
    grid.reset()
    line.clear()
    for pair in 0...channelCount / 2 { cuts[pair].clear() }
  }
}
