package import FxAudio

/// Keeps a sound under a ceiling, including its true peaks, without clicks.
///
/// It looks ahead and lowers channels before a peak arrives, so nothing is clipped. Signals under
/// the ceiling are unchanged. `AdaptiveLimiterGain` calculates the gain, `TruePeakDetector` finds
/// the peaks.
package struct Limiter: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "limiter", name: "Limiter",
    summary: "Keeps a sound under a ceiling, between its samples too.",
    category: "dynamics", revision: 2,
    parameters: [
      .gain("ceiling", "The level that nothing exceeds.", -24...0, default: -1)
        .againstTruePeak,
      ParameterSpec(
        "release",
        "Time to recover 63 % after a lasting level; 6 ms after a single peak.",
        .seconds, 0.001...2, default: 0.08, smoothing: .glide(seconds: 0.02)),
      .gain("gain", "The level change before the limiter.", 0...36),
    ],
    options: [
      OptionSpec(
        "lookahead",
        "How long the gain takes to fall before a peak; adds as much latency, and true peaks 10 frames more.",
        .number(.seconds, 0.0005...0.02), default: .number(0.001)),
      OptionSpec(
        "truePeak",
        "Whether true peaks, between the samples, stay under the ceiling as well.",
        .flag, default: .flag(true)),
      OptionSpec(
        "link",
        "How much a channel follows the loudest one: at 1 all are turned down alike, at 0 each by itself.",
        .number(.ratio, 0...1), default: .number(1)),
    ],
    readings: [
      ReadingSpec("gainReduction", "The largest reduction of the latest block.", .decibels)
    ],
    presets: [
      UnitPreset(
        "safety", "Catches the odd peak and leaves the rest alone.", ["ceiling": -1]),
      UnitPreset(
        "loud", "A finished mix made louder.",
        ["ceiling": -1, "gain": 6, "release": 0.06]),
      UnitPreset(
        "broadcast", "The headroom that EBU R 128 leaves to lossy coders.",
        ["ceiling": -2, "release": 0.2]),
    ])

  package struct Parameters: BitwiseCopyable {
    let ceiling: ParameterSignal
    let release: ParameterSignal
    let gain: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Limiter.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Limiter.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Limiter.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false })

  private let sampleRate: Double
  private let channelCount: Int
  private let findsTruePeaks: Bool
  private let link: Float
  private let readings: ReadingBoard
  /// The gains of a chunk, for each channel or one for all channels; then the lowest of them.
  private let gains: SampleBuffer
  private let ceilings = SampleBuffer(count: Self.chunk)
  private var steadyCeiling = SteadyCeiling()
  /// The signal after the input gain; the last channel has its ceiling.
  private var line: DelayLine
  private let detector: TruePeakDetector
  private let reducers: UnsafeMutablePointer<AdaptiveLimiterGain>
  private let reducerCount: Int
  /// The latency of the peak detector in frames.
  private let detectorLatency: Int
  private let latency: Int
  private var hasBegun = false
  private var grid = ControlGrid()
  private var release = ControlValue()
  private var speed = AdaptiveLimiterGain.Speed(release: 0, sampleRate: 1)

  /// Frames that are processed together, few enough for the L1 cache.
  private static var chunk: Int { 128 }
  /// The error of the detector and of the moving gain together: 0.05 dB.
  private static var margin: Float { 0.994_260 }

  package init(_ preparation: Preparation) {
    let setup = Setup(preparation)
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    readings = preparation.readings
    findsTruePeaks = setup.findsTruePeaks
    link = setup.link
    reducerCount = setup.reducerCount
    detectorLatency = setup.detectorLatency
    latency = setup.latency
    gains = SampleBuffer(count: (setup.reducerCount + 1) * Self.chunk)
    line = DelayLine(
      channelCount: channelCount + 1, maximumDelay: latency, maximumFrameCount: Self.chunk)
    detector = TruePeakDetector(
      channelCount: setup.findsTruePeaks ? channelCount : 0, maximumFrameCount: Self.chunk)
    reducers = .allocate(capacity: reducerCount)
    for index in 0..<reducerCount {
      (reducers + index).initialize(
        to: AdaptiveLimiterGain(
          latency: setup.lookahead, isBetween: setup.findsTruePeaks, sampleRate: sampleRate,
          maximumFrameCount: Self.chunk))
    }
  }

  /// Settings from the options.
  private struct Setup {
    let findsTruePeaks: Bool
    let link: Float
    let reducerCount: Int
    let lookahead: Int
    let detectorLatency: Int
    var latency: Int { lookahead + detectorLatency }

    init(_ preparation: Preparation) {
      findsTruePeaks = preparation.flag("truePeak") ?? true
      link = Float(min(max(preparation.number("link") ?? 1, 0), 1))
      reducerCount = link < 1 ? max(1, preparation.channelCount) : 1
      let seconds = min(max(preparation.number("lookahead") ?? 0.001, 0), 1)
      lookahead = LimiterGain.latency(max(1, Int((seconds * preparation.sampleRate).rounded())))
      detectorLatency = findsTruePeaks ? TruePeakDetector.latency : 0
    }
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let setup = Setup(preparation)
    let reducer =
      AdaptiveLimiterGain.byteCount(
        latency: setup.lookahead, sampleRate: preparation.sampleRate, maximumFrameCount: chunk)
      + MemoryLayout<AdaptiveLimiterGain>.stride
    return UnitTraits(
      latency: setup.latency,
      memory: SampleBuffer.byteCount(count: (setup.reducerCount + 1) * chunk)
        + SampleBuffer.byteCount(count: chunk)
        + DelayLine.byteCount(
          channelCount: preparation.channelCount + 1, maximumDelay: setup.latency,
          maximumFrameCount: chunk)
        + TruePeakDetector.byteCount(
          channelCount: setup.findsTruePeaks ? preparation.channelCount : 0,
          maximumFrameCount: chunk)
        + setup.reducerCount * reducer)
  }

  deinit {
    reducers.deinitialize(count: reducerCount)
    reducers.deallocate()
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let isModulated = parameters.release.isModulated
    var least: Float = 1
    var frame = 0
    while frame < block.frameCount {
      if grid.isDue(block.frame &+ frame, isModulated: isModulated)
        && release.take(parameters.release, frame)
      {
        speed = AdaptiveLimiterGain.Speed(
          release: Double(release.value), sampleRate: sampleRate)
      }
      let end =
        release.isSettled(parameters.release)
        ? block.frameCount : grid.pieceEnd(block, after: frame, isModulated: isModulated)
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
    if !hasBegun { begin(ceiling: parameters.ceiling[frame]) }
    let ceilings = ceilings.samples
    let isSteady = steadyCeiling.take(
      parameters.ceiling, from: frame, into: ceilings, count: count, latency: latency)
    line.write(ceilings, channel: channelCount, frameCount: count)
    if !isSteady {
      line.read(
        into: ceilings, channel: channelCount, delay: detectorLatency, frameCount: count)
    }
    // Peaks below this need no gain reduction, wherever they are.
    let floor = Self.margin * Ceiling.least(ceilings, count: count)
    for channel in 0..<channelCount {
      let output = block.outputs[channel] + frame
      drive(block.inputs[channel] + frame, into: output, parameters.gain, frame, count)
      line.write(output, channel: channel, frameCount: count)
      let isAlone = reducerCount > 1
      detect(
        output, channel: channel, into: row(isAlone ? channel : 0), count: count,
        keepsLarger: !isAlone && channel > 0, floor: floor)
    }
    if channelCount == 0 { row(0).update(repeating: 0, count: count) }
    reduce(count: count)

    if !isSteady {
      line.read(into: ceilings, channel: channelCount, delay: latency, frameCount: count)
    }
    var least: Float = 1
    for reducer in 0..<reducerCount {
      least = min(least, Ceiling.least(row(reducer), count: count))
    }
    for channel in 0..<channelCount {
      let output = block.outputs[channel] + frame
      line.read(into: output, channel: channel, delay: latency, frameCount: count)
      Ceiling.apply(
        row(reducerCount > 1 ? channel : 0), ceilings: ceilings, to: output, count: count)
    }
    line.advance(count)
    return least
  }

  /// Fills the delay line with the first frame's ceiling, because the signal in the line starts
  /// earlier.
  @_noLocks
  private mutating func begin(ceiling: Float) {
    hasBegun = true
    steadyCeiling.begin(ceiling, frameCount: latency)
    ceilings.samples.update(repeating: ceiling, count: Self.chunk)
    var rest = latency
    while rest > 0 {
      let count = min(rest, Self.chunk)
      line.write(ceilings.samples, channel: channelCount, frameCount: count)
      line.advance(count)
      rest &-= count
    }
  }

  @_noLocks
  private func row(_ index: Int) -> UnsafeMutablePointer<Float> {
    gains.samples + index &* Self.chunk
  }

  /// The signal after the input gain. NaN, infinity and values beyond 1e18 count as silence.
  @_noLocks
  private func drive(
    _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>,
    _ gain: ParameterSignal, _ frame: Int, _ count: Int
  ) {
    if let samples = gain.samples {
      for index in 0..<count {
        output[index] = (input[index] * samples[frame &+ index]).finiteSample
      }
    } else {
      for index in 0..<count { output[index] = (input[index] * gain.value).finiteSample }
    }
  }

  @_noLocks
  private func detect(
    _ samples: UnsafePointer<Float>, channel: Int, into peaks: UnsafeMutablePointer<Float>,
    count: Int, keepsLarger: Bool, floor: Float
  ) {
    if findsTruePeaks {
      detector.process(
        samples, channel: channel, into: peaks, count: count, keepsLarger: keepsLarger,
        floor: floor)
    } else {
      LevelDetector.peaks(samples, into: peaks, count: count, keepsLarger: keepsLarger)
    }
  }

  /// Turns the peaks of each row into the gains to apply.
  @_noLocks
  private func reduce(count: Int) {
    let ceilings = ceilings.samples
    let share: Float = findsTruePeaks ? Self.margin : 1
    for reducer in 0..<reducerCount {
      Ceiling.findGains(row(reducer), ceilings: ceilings, share: share, count: count)
    }
    if reducerCount > 1 { linkChannels(count: count) }
    for reducer in 0..<reducerCount {
      reducers[reducer].process(row(reducer), frameCount: count, speed: speed)
    }
  }

  /// Moves each channel's gain towards the lowest one.
  @_noLocks
  private func linkChannels(count: Int) {
    let least = row(reducerCount)
    for index in 0..<count {
      var minimum: Float = 1
      for reducer in 0..<reducerCount {
        let gain = row(reducer)[index]
        minimum = gain < minimum ? gain : minimum
      }
      least[index] = minimum
    }
    for reducer in 0..<reducerCount {
      let gains = row(reducer)
      for index in 0..<count { gains[index] += link * (least[index] - gains[index]) }
    }
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    guard release.isSettled(parameters.release), detector.isAtRest,
      line.isUniform(channel: channelCount)
    else { return false }
    for reducer in 0..<reducerCount where !reducers[reducer].isAtRest { return false }
    for channel in 0..<channelCount where !line.isSilent(channel: channel) { return false }
    return true
  }

  @_noLocks
  package mutating func reset() {
    grid.reset()
    hasBegun = false
    line.clear()
    detector.clear()
    for index in 0..<reducerCount { reducers[index].clear() }
  }
}
