import FxAudio

/// Adds harmonics to the high frequencies, so that a dull sound becomes brighter.
///
/// The high frequencies are distorted at eight times the sample rate and added; the low
/// frequencies are unchanged.
struct Exciter: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "exciter", name: "Exciter", summary: "Adds harmonics to the treble.", category: "distortion",
    parameters: [
      .frequency(
        "frequency", "The frequency above which harmonics are added.", 500...12000, default: 3000),
      .gain("drive", "The gain of the treble before the distortion.", 0...36, default: 12),
      .gain("amount", "The level of the added harmonics.", -(.infinity)...6, default: -12),
    ],
    options: [
      OptionSpec(
        "harmonics", "Even and odd ones, or odd ones alone.", .choice(["all", "odd"]),
        default: .text("all")),
      .oversampling,
    ],
    presets: [
      UnitPreset("air", "For a voice or a mix.", ["frequency": 6000, "amount": -14]),
      UnitPreset("presence", "For a dull recording.", ["frequency": 2500, "amount": -9]),
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let drive: ParameterSignal
    let amount: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Exciter.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Exciter.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Exciter.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false })

  private let sampleRate: Double
  private let channelCount: Int
  private let latency: Int
  private let shaper: WaveShaper
  private var line: DelayLine
  private let treble: SampleBuffer
  private let dry: SampleBuffer
  private let slopes: SampleBuffer
  /// Pairs of channels × (two states of the input filter, two of the output filter).
  private let states: UnsafeMutablePointer<SIMD2<Double>>

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    let isOdd = preparation.text("harmonics") == "odd"
    shaper = WaveShaper(
      isOdd ? .soft : .tube, preparation.oversampling, channelCount: channelCount)
    latency = WaveShaper.latency(preparation.oversampling)
    line = DelayLine(
      channelCount: channelCount, maximumDelay: latency, maximumFrameCount: WaveShaper.chunk)
    treble = SampleBuffer(count: 2 * WaveShaper.chunk)
    dry = SampleBuffer(count: 2 * WaveShaper.chunk)
    slopes = SampleBuffer(count: WaveShaper.chunk)
    states = .allocate(capacity: max(Self.stateCount(channelCount), 1))
    states.initialize(repeating: .zero, count: max(Self.stateCount(channelCount), 1))
  }

  deinit { states.deallocate() }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let latency = WaveShaper.latency(preparation.oversampling)
    let channels = preparation.channelCount
    return UnitTraits(
      latency: latency, tail: .frames(latency + Int(0.02 * preparation.sampleRate)),
      memory: WaveShaper.byteCount(preparation.oversampling, channelCount: channels)
        + DelayLine.byteCount(
          channelCount: channels, maximumDelay: latency, maximumFrameCount: WaveShaper.chunk)
        + 2 * SampleBuffer.byteCount(count: 2 * WaveShaper.chunk)
        + SampleBuffer.byteCount(count: WaveShaper.chunk)
        + max(stateCount(channels), 1) * MemoryLayout<SIMD2<Double>>.stride)
  }

  @_noLocks
  private static func stateCount(_ channelCount: Int) -> Int { (channelCount + 1) / 2 * 4 }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var start = 0
    while start < block.frameCount {
      let left = InaudibleState.frameCount(from: block.frame &+ start)
      let count = min(WaveShaper.chunk, min(left, block.frameCount &- start))
      StateVariable.slopes(
        parameters.frequency, from: start, count: count, sampleRate: sampleRate,
        into: slopes.samples)
      for channel in stride(from: 0, to: channelCount, by: 2) {
        excite(block, parameters, channel, from: start, count: count)
      }
      line.advance(count)
      if count == left { forgetInaudible() }
      start &+= count
    }
  }

  /// Renders a channel and the one after it, if there is one.
  @_noLocks
  private func excite(
    _ block: RenderBlock, _ parameters: Parameters, _ channel: Int, from start: Int, count: Int
  ) {
    let (first, second) = (treble.samples, treble.samples + WaveShaper.chunk)
    let (dry, otherDry) = (dry.samples, dry.samples + WaveShaper.chunk)
    let other = channel &+ 1 < channelCount ? channel &+ 1 : channel
    let inputs = (block.inputs[channel] + start, block.inputs[other] + start)
    for index in 0..<count {
      (dry[index], otherDry[index]) = (inputs.0[index].finiteSample, inputs.1[index].finiteSample)
    }
    let state = states + 2 &* channel
    for index in 0..<count {
      let high = pass(dry[index], otherDry[index], slopes.samples[index], state)
      first[index] = parameters.drive[start &+ index] * high.x
      second[index] = parameters.drive[start &+ index] * high.y
    }
    bend(first, dry, channel, count: count)
    if other != channel { bend(second, otherDry, other, count: count) }
    let outputs = (block.outputs[channel] + start, block.outputs[other] + start)
    for index in 0..<count {
      let added = pass(first[index], second[index], slopes.samples[index], state + 2)
      let amount = parameters.amount[start &+ index]
      outputs.1[index] = otherDry[index] + amount * added.y
      outputs.0[index] = dry[index] + amount * added.x
    }
  }

  /// Makes the harmonics of a channel's high frequencies, and delays its dry signal by the same
  /// latency.
  @_noLocks
  private func bend(
    _ treble: UnsafeMutablePointer<Float>, _ dry: UnsafeMutablePointer<Float>, _ channel: Int,
    count: Int
  ) {
    line.write(dry, channel: channel, frameCount: count)
    line.read(into: dry, channel: channel, delay: latency, frameCount: count)
    shaper.process(
      treble, channel: channel, frameCount: count, knee: ParameterSignal(constant: 0))
  }

  @_noLocks
  private func forgetInaudible() {
    for index in 0..<Self.stateCount(channelCount) {
      for lane in 0..<2 where abs(states[index][lane]) < InaudibleState.limit {
        states[index][lane] = 0
      }
    }
  }

  /// A second-order high-pass filter.
  @_noLocks @inline(__always)
  private func pass(
    _ first: Float, _ second: Float, _ slope: Float, _ state: UnsafeMutablePointer<SIMD2<Double>>
  ) -> SIMD2<Float> {
    let parts = StateVariable.step(
      SIMD2(Double(first), Double(second)), state, slope: Double(slope),
      damping: StateVariable.butterworth)
    return SIMD2(Float(parts.high.x), Float(parts.high.y))
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    for index in 0..<Self.stateCount(channelCount) where states[index] != .zero { return false }
    return shaper.isAtRest && line.isSilent
  }

  @_noLocks
  package mutating func reset() {
    shaper.reset()
    line.clear()
    for index in 0..<Self.stateCount(channelCount) { states[index] = .zero }
  }
}
