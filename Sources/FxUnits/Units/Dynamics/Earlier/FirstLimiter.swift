import FxAudio

/// Revision 1 of the limiter: it limits sample peaks, not true peaks.
///
/// It looks ahead and lowers all channels together before a peak arrives, so nothing is clipped.
/// Signals under the ceiling are unchanged. `LimiterGain` calculates the gain.
struct FirstLimiter: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "limiter", name: "Limiter", summary: "Keeps every sample under a ceiling.",
    category: "dynamics",
    parameters: [
      .gain("ceiling", "The level that no sample exceeds.", -24...0, default: -1)
        .againstFullScale,
      ParameterSpec(
        "release", "Time to cover 63 % of the way back up.", .seconds, 0.001...2, default: 0.08,
        smoothing: .glide(seconds: 0.02)),
      .gain("gain", "The level change before the limiter.", 0...36),
    ],
    options: [
      OptionSpec(
        "lookahead", "How long the gain takes to fall before a peak; adds as much latency.",
        .number(.seconds, 0.0005...0.02), default: .number(0.005))
    ],
    readings: [
      ReadingSpec("gainReduction", "The largest reduction of the latest block.", .decibels)
    ])

  package struct Parameters: BitwiseCopyable {
    let ceiling: ParameterSignal
    let release: ParameterSignal
    let gain: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(FirstLimiter.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(FirstLimiter.self)?.pointee.reset() })

  private let sampleRate: Double
  private let channelCount: Int
  private let readings: ReadingBoard
  private let gains = SampleBuffer(count: Self.chunk)
  private let ceilings = SampleBuffer(count: Self.chunk)
  private var steadyCeiling = SteadyCeiling()
  /// The signal after the input gain; the last channel has its ceiling.
  private var line: DelayLine
  private var reducer: LimiterGain
  private var grid = ControlGrid()
  private var release = ControlValue()
  /// The recovery of the gain per frame, as a share.
  private var rise = 1.0

  /// Frames that are processed together, few enough for the L1 cache.
  private static var chunk: Int { 128 }

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    readings = preparation.readings
    reducer = LimiterGain(latency: Self.latency(preparation), maximumFrameCount: Self.chunk)
    line = DelayLine(
      channelCount: channelCount + 1, maximumDelay: reducer.latency,
      maximumFrameCount: Self.chunk)
  }

  private static func latency(_ preparation: Preparation) -> Int {
    let lookahead = min(max(preparation.number("lookahead") ?? 0.005, 0), 1)
    return LimiterGain.latency(max(1, Int((lookahead * preparation.sampleRate).rounded())))
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let latency = latency(preparation)
    return UnitTraits(
      latency: latency,
      memory: 2 * SampleBuffer.byteCount(count: chunk)
        + LimiterGain.byteCount(latency: latency, maximumFrameCount: chunk)
        + DelayLine.byteCount(
          channelCount: preparation.channelCount + 1, maximumDelay: latency,
          maximumFrameCount: chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var least: Float = 1
    var frame = 0
    while frame < block.frameCount {
      if grid.isDue(block.frame &+ frame) && release.take(parameters.release, frame) {
        rise = Smoothing.coefficient(seconds: Double(release.value), sampleRate: sampleRate)
      }
      let end =
        release.isSettled(parameters.release)
        ? block.frameCount : grid.pieceEnd(block, after: frame)
      let count = min(end &- frame, Self.chunk)
      let gain = process(block, parameters, from: frame, count: count)
      least = gain < least ? gain : least
      frame &+= count
    }
    readings[0] = least < 1 ? -Math.decibels(amplitude: least) : 0
  }

  /// Limits a chunk and returns its least gain.
  @_noLocks
  private mutating func process(
    _ block: RenderBlock, _ parameters: Parameters, from frame: Int, count: Int
  ) -> Float {
    let gains = gains.samples
    let ceilings = ceilings.samples
    for channel in 0..<channelCount {
      drive(
        block.inputs[channel] + frame, into: block.outputs[channel] + frame, parameters.gain,
        from: frame, count: count)
      line.write(block.outputs[channel] + frame, channel: channel, frameCount: count)
      LevelDetector.peaks(
        block.outputs[channel] + frame, into: gains, count: count, keepsLarger: channel > 0)
    }
    let isSteady = steadyCeiling.take(
      parameters.ceiling, from: frame, into: ceilings, count: count, latency: reducer.latency)
    line.write(ceilings, channel: channelCount, frameCount: count)

    Ceiling.findGains(gains, ceilings: ceilings, share: 1, count: count)
    reducer.process(gains, frameCount: count, release: rise)

    if !isSteady {
      line.read(into: ceilings, channel: channelCount, delay: reducer.latency, frameCount: count)
    }
    let least = Ceiling.least(gains, count: count)
    for channel in 0..<channelCount {
      let output = block.outputs[channel] + frame
      line.read(into: output, channel: channel, delay: reducer.latency, frameCount: count)
      Ceiling.apply(gains, ceilings: ceilings, to: output, count: count)
    }
    line.advance(count)
    return least
  }

  @_noLocks
  private func drive(
    _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>,
    _ gain: ParameterSignal, from frame: Int, count: Int
  ) {
    if let samples = gain.samples {
      for index in 0..<count { output[index] = input[index] * samples[frame &+ index] }
    } else {
      for index in 0..<count { output[index] = input[index] * gain.value }
    }
  }

  @_noLocks
  package mutating func reset() {
    grid.reset()
    steadyCeiling = SteadyCeiling()
    line.clear()
    reducer.clear()
  }
}
