import FxAudio

/// A filter that opens when the sound is louder.
struct AutoWah: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "autoWah", name: "Auto-wah", summary: "A filter that opens the louder the sound is.",
    category: "movement",
    parameters: [
      .frequency("frequency", "Where the filter is in silence.", 50...5000, default: 300),
      ParameterSpec(
        "range", "How far a loud sound moves it; below 0 downwards.", .octaves, -4...4,
        default: 2.5),
      ParameterSpec(
        "threshold", "The peak level that moves it all the way.", .decibels, -60...0,
        default: -12
      ).againstFullScale,
      ParameterSpec("q", "How narrow it is.", .none, 0.5...20, default: 4),
      ParameterSpec("attack", "How fast it opens.", .seconds, 0.0005...0.5, default: 0.008),
      ParameterSpec("release", "How fast it closes.", .seconds, 0.005...2, default: 0.15),
    ],
    options: [
      OptionSpec(
        "filter", "What passes: a band, or everything below it.", .choice(["band", "low"]),
        default: .text("band"))
    ],
    presets: [
      UnitPreset(
        "bass", "For a bass: nothing of its fundamentals goes.",
        [
          "frequency": 150, "range": 3, "q": 3,
        ], options: ["filter": .text("low")]),
      UnitPreset("quack", "Short and narrow.", ["q": 8, "release": 0.08, "range": 3]),
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let range: ParameterSignal
    let threshold: ParameterSignal
    let q: ParameterSignal
    let attack: ParameterSignal
    let release: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(AutoWah.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(AutoWah.self)?.pointee.reset() })

  private let sampleRate: Double
  private let channelCount: Int
  private let passesLow: Bool
  /// Pairs of channels × 2 states.
  private let states: UnsafeMutablePointer<SIMD2<Double>>
  /// The level of a chunk, then the filter's frequencies, then its slopes.
  private let slopes = NumberBuffer(count: Self.chunk)
  private var level = 0.0
  private var speed = EnvelopeFollower.Speed(attack: 0, release: 0, sampleRate: 1)
  private var attack: Float = -1
  private var release: Float = -1

  /// Frames that are processed together.
  private static var chunk: Int { @_noLocks get { 64 } }

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    passesLow = preparation.text("filter") == "low"
    states = .allocate(capacity: channelCount + 1)
    states.initialize(repeating: .zero, count: channelCount + 1)
  }

  deinit { states.deallocate() }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let (hertz, range) = (preparation.initial(0, of: spec), preparation.initial(1, of: spec))
    let (quality, release) = (preparation.initial(3, of: spec), preparation.initial(5, of: spec))
    // Seconds until the filter has fallen by 90 dB. Its resonance begins above the signal's level.
    func ringing(_ hertz: Double) -> Double {
      (11.4 + Math.log(max(quality, 1))) * (quality + 0.5) / (Double.pi * hertz)
    }
    var seconds = ringing(hertz)
    if range < 0 {
      // A loud sound holds it further down; after the sound it goes up with the release.
      let excess = max(0, -preparation.initial(2, of: spec))
      let returning = release * (0.115 * excess + Math.log(-8 * range))
      seconds = min(ringing(hertz * Math.exp2(range)), seconds + max(returning, 0))
    }
    return UnitTraits(
      tail: .ringing(
        frames: seconds * preparation.sampleRate, sampleRate: preparation.sampleRate),
      memory: (preparation.channelCount + 1) * MemoryLayout<SIMD2<Double>>.stride
        + NumberBuffer.byteCount(count: chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var frame = 0
    while frame < block.frameCount {
      let count = min(block.frameCount &- frame, Self.chunk)
      for index in 0..<count {
        follow(block, parameters, frame &+ index)
        slopes.numbers[index] = level
      }
      tune(parameters, from: frame, count: count)
      for channel in stride(from: 0, to: channelCount, by: 2) {
        filter(block, channel, parameters.q, from: frame, count: count)
      }
      frame &+= count
    }
  }

  /// Converts the level of a chunk to the slopes of the filter.
  @_noLocks
  private func tune(_ parameters: Parameters, from frame: Int, count: Int) {
    let slopes = slopes.numbers
    var full = Double(Math.amplitude(decibels: -parameters.threshold.value))
    for index in 0..<count {
      if !parameters.threshold.isConstant {
        full = Double(Math.amplitude(decibels: -parameters.threshold[frame &+ index]))
      }
      let share = slopes[index] * full < 1 ? slopes[index] * full : 1
      slopes[index] = Double(parameters.range[frame &+ index]) * share
    }
    self.slopes.takePowersOfTwo(count: count)
    let highest = 0.45 * sampleRate
    for index in 0..<count {
      let hertz = Double(parameters.frequency[frame &+ index]) * slopes[index]
      slopes[index] = Double.pi * (hertz < highest ? hertz : highest) / sampleRate
    }
    self.slopes.takeTangents(count: count)
  }

  /// Filters a channel and the one after it, if there is one.
  @_noLocks
  private func filter(
    _ block: RenderBlock, _ channel: Int, _ q: ParameterSignal, from frame: Int, count: Int
  ) {
    let second = channel &+ 1 < channelCount ? channel &+ 1 : channel
    let inputs = (block.inputs[channel] + frame, block.inputs[second] + frame)
    let outputs = (block.outputs[channel] + frame, block.outputs[second] + frame)
    for index in 0..<count {
      let damping = 1 / Double(q[frame &+ index])
      let parts = StateVariable.step(
        SIMD2(Double(inputs.0[index].finiteSample), Double(inputs.1[index].finiteSample)),
        states + channel, slope: slopes.numbers[index], damping: damping)
      let output = passesLow ? parts.low : damping * parts.band
      outputs.1[index] = Float(output.y)
      outputs.0[index] = Float(output.x)
    }
  }

  /// Follows the loudest channel.
  @_noLocks
  private mutating func follow(_ block: RenderBlock, _ parameters: Parameters, _ frame: Int) {
    if parameters.attack[frame] != attack || parameters.release[frame] != release {
      attack = parameters.attack[frame]
      release = parameters.release[frame]
      speed = EnvelopeFollower.Speed(
        attack: Double(attack), release: Double(release), sampleRate: sampleRate)
    }
    var peak: Float = 0
    for channel in 0..<channelCount {
      peak = max(peak, block.inputs[channel][frame].finiteSample.magnitude)
    }
    let loud = Double(peak)
    level += (loud > level ? speed.attack : speed.release) * (loud - level)
  }

  @_noLocks
  package mutating func reset() {
    for index in 0...channelCount { states[index] = .zero }
    level = 0
  }
}
