import FxAudio

/// The sound of a tape recording: saturation, wow and flutter, hiss, and a loss of high
/// frequencies.
///
/// The signal is saturated at eight times the sample rate between an emphasis and its inverse
/// (`TapeEmphasis`), then delayed by a varying time (`Transport`). Then hiss is added, and the
/// reading head lowers the high frequencies of both.
struct Tape: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "tape", name: "Tape",
    summary: "A sound played from tape: warm, wavering, with hiss.", category: "recording",
    parameters: [
      .gain(
        "drive",
        "How much louder the signal goes onto the tape, which bends levels near full scale.",
        0...36,
        default: 6),
      Transport.wow, Transport.flutter,
      .gain(
        "hiss", "The RMS level of its hiss, before treble is lost.", -(.infinity)...(-20),
        default: -66),
      .frequency("treble", "Where the treble ends.", 1000...20000, default: 14000),
      .gain("level", "The output level.", -48...24, default: -4),
    ],
    options: [.oversampling],
    presets: [
      UnitPreset(
        "studio", "A good machine.",
        ["drive": 4, "wow": 0.0003, "flutter": 0.0003, "hiss": -72, "treble": 19000, "level": -3]),
      UnitPreset(
        "cassette", "A pocket recorder.",
        ["drive": 9, "wow": 0.002, "flutter": 0.002, "hiss": -56, "treble": 11000, "level": -6]),
      UnitPreset(
        "worn", "A tape that was played too often.",
        ["drive": 14, "wow": 0.009, "flutter": 0.005, "hiss": -48, "treble": 5000, "level": -9]),
    ])

  package struct Parameters: BitwiseCopyable {
    let drive: ParameterSignal
    let wow: ParameterSignal
    let flutter: ParameterSignal
    let hiss: ParameterSignal
    let treble: ParameterSignal
    let level: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Tape.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Tape.self)?.pointee.reset() })

  /// The rotation rate of the capstan and the reels together, in hertz.
  private static let wowRate = 0.8

  private let sampleRate: Double
  private let channelCount: Int
  private let noise: ValueNoise
  private let shaper: WaveShaper
  private let emphasis: TapeEmphasis
  /// For a channel and the next one.
  private let scratch: SampleBuffer
  private let slopes: SampleBuffer
  /// Pairs of channels × 2 states.
  private let states: UnsafeMutablePointer<SIMD2<Double>>
  private var transport: Transport

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    noise = ValueNoise(preparation)
    shaper = WaveShaper(.soft, preparation.oversampling, channelCount: channelCount)
    emphasis = TapeEmphasis(channelCount: channelCount, sampleRate: sampleRate)
    scratch = SampleBuffer(count: 2 * WaveShaper.chunk)
    slopes = SampleBuffer(count: WaveShaper.chunk)
    states = .allocate(capacity: channelCount + 1)
    states.initialize(repeating: .zero, count: channelCount + 1)
    transport = Transport(preparation, rate: Self.wowRate)
  }

  deinit { states.deallocate() }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let channels = preparation.channelCount
    let late = Transport.latency(preparation, rate: wowRate)
    let latency = WaveShaper.latency(preparation.oversampling) + late
    return UnitTraits(
      latency: latency, tail: .frames(latency + late + 256),
      memory: WaveShaper.byteCount(preparation.oversampling, channelCount: channels)
        + TapeEmphasis.byteCount(channelCount: channels)
        + SampleBuffer.byteCount(count: 2 * WaveShaper.chunk)
        + SampleBuffer.byteCount(count: WaveShaper.chunk)
        + (channels + 1) * MemoryLayout<SIMD2<Double>>.stride
        + Transport.byteCount(preparation, rate: wowRate))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var start = 0
    while start < block.frameCount {
      let count = min(WaveShaper.chunk, block.frameCount &- start)
      transport.place(
        block, from: start, count: count, wow: parameters.wow, flutter: parameters.flutter)
      StateVariable.slopes(
        parameters.treble, from: start, count: count, sampleRate: sampleRate, into: slopes.samples)
      for channel in stride(from: 0, to: channelCount, by: 2) {
        for side in 0..<min(2, channelCount &- channel) {
          let samples = scratch.samples + side &* WaveShaper.chunk
          record(block, parameters, channel &+ side, into: samples, from: start, count: count)
          transport.move(samples, channel: channel &+ side, count: count)
        }
        read(block, parameters, channel, from: start, count: count)
      }
      transport.advance(count)
      start &+= count
    }
  }

  @_noLocks
  private func record(
    _ block: RenderBlock, _ parameters: Parameters, _ channel: Int,
    into samples: UnsafeMutablePointer<Float>, from start: Int, count: Int
  ) {
    let input = block.inputs[channel] + start
    for index in 0..<count {
      samples[index] = input[index].finiteSample * parameters.drive[start &+ index]
    }
    emphasis.raise(samples, channel: channel, frameCount: count)
    shaper.process(
      samples, channel: channel, frameCount: count, knee: ParameterSignal(constant: 0))
    emphasis.lower(samples, channel: channel, frameCount: count)
  }

  /// Adds hiss, lowers the high frequencies and sets the level, for a channel and the next one if
  /// there is one.
  @_noLocks
  private func read(
    _ block: RenderBlock, _ parameters: Parameters, _ channel: Int, from start: Int, count: Int
  ) {
    let other = channel &+ 1 < channelCount ? channel &+ 1 : channel
    let (first, second) = (scratch.samples, scratch.samples + WaveShaper.chunk)
    let outputs = (block.outputs[channel] + start, block.outputs[other] + start)
    for index in 0..<count {
      let now = start &+ index
      var sample = SIMD2(Double(first[index]), Double(second[index]))
      let hiss = Double(parameters.hiss[now])
      if hiss > 0 {
        // A uniform distribution from -1 to 1 has an RMS of 1/√3.
        let place = (block.frame &+ now) &* channelCount &+ channel
        sample +=
          1.732_050_807_568_877_2 * hiss * SIMD2(noise.value(place), noise.value(place &+ 1))
      }
      let parts = StateVariable.step(
        sample, states + channel, slope: Double(slopes.samples[index]),
        damping: StateVariable.butterworth)
      outputs.1[index] = parameters.level[now] * Float(parts.low.y)
      outputs.0[index] = parameters.level[now] * Float(parts.low.x)
    }
  }

  @_noLocks
  package mutating func reset() {
    shaper.reset()
    emphasis.reset()
    transport.reset()
    for index in 0...channelCount { states[index] = .zero }
  }
}
