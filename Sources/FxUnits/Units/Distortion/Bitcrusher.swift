import FxAudio

/// Reduces bits and sample rate, as in early samplers and games.
struct Bitcrusher: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "bitcrusher", name: "Bitcrusher",
    summary: "Fewer bits and fewer samples, as early samplers had them.", category: "distortion",
    parameters: [
      ParameterSpec(
        "bits", "Bits per sample; fractions are allowed.", .none,
        1...24, default: 8),
      ParameterSpec(
        "rate", "Samples a second; each is held until the next.", .hertz, 100...192000,
        default: 12000, smoothing: .ramp(seconds: 0.02)),
    ],
    options: [
      OptionSpec(
        "dither",
        "Whether noise of one step is added before (dither), so that the error is noise and no distortion.",
        .flag, default: .flag(false))
    ],
    presets: [
      UnitPreset("sampler", "Twelve bits at 26 kHz.", ["bits": 12, "rate": 26040]),
      UnitPreset("game", "Four bits at 8 kHz.", ["bits": 4, "rate": 8000]),
      UnitPreset("telephone exchange", "Eight bits at 8 kHz.", ["bits": 8, "rate": 8000]),
    ])

  package struct Parameters: BitwiseCopyable {
    let bits: ParameterSignal
    let rate: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Bitcrusher.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Bitcrusher.self)?.pointee.reset() })

  private let sampleRate: Double
  private let channelCount: Int
  private let isDithered: Bool
  private let noise: ValueNoise
  /// The held sample of each channel.
  private let held: SampleBuffer
  /// The bits of the last held sample, and the number of steps above 0.
  private var bits: Float = -1
  private var steps: Float = 1
  /// The elapsed part of a held sample, from 0 to 1.
  private var place = 1.0
  private var draws = 0

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    isDithered = preparation.flag("dither") ?? false
    noise = ValueNoise(preparation)
    held = SampleBuffer(count: channelCount)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(
      tail: .frames(Int(preparation.sampleRate / 100) + 1),
      memory: SampleBuffer.byteCount(count: preparation.channelCount))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let rate = parameters.rate
    let constantStep = Double(rate.value) / sampleRate
    var frame = 0
    while frame < block.frameCount {
      let start = frame
      if place >= 1 {
        let step = rate.isConstant ? constantStep : Double(rate[frame]) / sampleRate
        place = step < 1 ? place - 1 : 0
        hold(block, frame, bits: parameters.bits[frame])
      }
      repeat {
        place += rate.isConstant ? constantStep : Double(rate[frame]) / sampleRate
        frame &+= 1
      } while frame < block.frameCount && place < 1
      for channel in 0..<channelCount {
        let (output, sample) = (block.outputs[channel], held.samples[channel])
        for index in start..<frame { output[index] = sample }
      }
    }
  }

  @_noLocks
  private mutating func hold(_ block: RenderBlock, _ frame: Int, bits: Float) {
    if bits != self.bits {
      self.bits = bits
      // Half of the steps are below 0.
      steps = Math.exp2(bits - 1)
    }
    for channel in 0..<channelCount {
      let input = block.inputs[channel][frame].finiteSample
      let bounded = input < 1 ? (input > -1 ? input : -1) : 1
      let shaken = isDithered ? bounded * steps + dither() : bounded * steps
      let whole = Float(Int(shaken < 0 ? shaken - 0.5 : shaken + 0.5))
      held.samples[channel] = whole / steps
    }
  }

  /// Triangular dither (two uniform random numbers added), from -1 to 1.
  @_noLocks
  private mutating func dither() -> Float {
    let sum = noise.value(draws) + noise.value(draws &+ 1)
    draws &+= 2
    return Float(0.5 * sum)
  }

  @_noLocks
  package mutating func reset() {
    held.clear()
    place = 1
    draws = 0
  }
}
