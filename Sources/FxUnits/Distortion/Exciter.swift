package import FxAudio
import FxDSP

/// Adds harmonics to the treble, so that a dull sound gets what it does not have.
///
/// The treble is bent at eight times the rate and added; what is below is not touched.
package struct Exciter: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "exciter", name: "Exciter", summary: "Adds harmonics to the treble.", category: "distortion",
    parameters: [
      .frequency("frequency", "From where on.", 500...12000, default: 3000),
      .gain("drive", "How hard the treble is bent.", 0...36, default: 12),
      .gain("amount", "The level of what is added.", -(.infinity)...6, default: -12),
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
  /// Channel by channel, two of the filter before and two of the one behind.
  private let states: UnsafeMutablePointer<Double>

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    let isOdd = preparation.text("harmonics") == "odd"
    shaper = WaveShaper(
      isOdd ? .soft : .tube, preparation.oversampling, channelCount: channelCount)
    latency = WaveShaper.latency(preparation.oversampling)
    line = DelayLine(
      channelCount: channelCount, maximumDelay: latency, maximumFrameCount: WaveShaper.chunk)
    treble = SampleBuffer(count: WaveShaper.chunk)
    dry = SampleBuffer(count: WaveShaper.chunk)
    slopes = SampleBuffer(count: WaveShaper.chunk)
    states = .allocate(capacity: max(4 * channelCount, 1))
    states.initialize(repeating: 0, count: max(4 * channelCount, 1))
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
        + 3 * SampleBuffer.byteCount(count: WaveShaper.chunk)
        + max(4 * channels, 1) * MemoryLayout<Double>.stride)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let knee = ParameterSignal(constant: 0)
    var start = 0
    while start < block.frameCount {
      let left = InaudibleState.frameCount(from: block.frame &+ start)
      let count = min(WaveShaper.chunk, min(left, block.frameCount &- start))
      StateVariable.slopes(
        parameters.frequency, from: start, count: count, sampleRate: sampleRate,
        into: slopes.samples)
      for channel in 0..<channelCount {
        let input = block.inputs[channel] + start
        for index in 0..<count { dry.samples[index] = input[index].finiteSample }
        line.write(dry.samples, channel: channel, frameCount: count)
        let state = states + 4 &* channel
        for index in 0..<count {
          let high = pass(dry.samples[index], slopes.samples[index], state)
          treble.samples[index] = parameters.drive[start &+ index] * high
        }
        shaper.process(treble.samples, channel: channel, frameCount: count, knee: knee)
        line.read(into: dry.samples, channel: channel, delay: latency, frameCount: count)
        let output = block.outputs[channel] + start
        for index in 0..<count {
          let added = pass(treble.samples[index], slopes.samples[index], state + 2)
          output[index] = dry.samples[index] + parameters.amount[start &+ index] * added
        }
      }
      line.advance(count)
      if count == left { forgetInaudible() }
      start &+= count
    }
  }

  @_noLocks
  private func forgetInaudible() {
    for index in 0..<4 &* channelCount where abs(states[index]) < InaudibleState.limit {
      states[index] = 0
    }
  }

  /// A high-pass filter of the second order.
  @_noLocks @inline(__always)
  private func pass(
    _ sample: Float, _ slope: Float, _ state: UnsafeMutablePointer<Double>
  ) -> Float {
    let parts = StateVariable.step(
      Double(sample), state, slope: Double(slope), damping: StateVariable.butterworth)
    return Float(parts.high)
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    for index in 0..<4 &* channelCount where states[index] != 0 { return false }
    return shaper.isAtRest && line.isSilent
  }

  @_noLocks
  package mutating func reset() {
    shaper.reset()
    line.clear()
    for index in 0..<4 &* channelCount { states[index] = 0 }
  }
}
