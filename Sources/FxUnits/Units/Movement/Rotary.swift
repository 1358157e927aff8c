import FxAudio

/// A speaker cabinet with a rotating horn and a rotating drum, recorded by two microphones.
///
/// Rotation moves each sound source towards a microphone and away from it
/// (`SphericalHead.soundSpeed`). Each is loudest where it points to the microphone. Source: J. O.
/// Smith, S. Serafin, J. Abel and D. Berners, "Doppler simulation and the Leslie", DAFx-02.
struct Rotary: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "rotary", name: "Rotary speaker",
    summary: "A cabinet in which a horn and a drum turn before two microphones.",
    category: "movement",
    parameters: [
      .toggle("fast", "Tremolo rather than chorale: the rotors take their time to get there."),
      ParameterSpec(
        "slowRate", "Turns a second of the horn in chorale; the drum has 9/10 of them.", .hertz,
        0...3, default: 0.8),
      ParameterSpec(
        "fastRate", "Turns a second of the horn in tremolo; the drum has 9/10 of them.", .hertz,
        0...12, default: 6.7),
      ParameterSpec(
        "ramp", "The factor of the time for 86 % of a change of speed: 1 s the horn, 4 s the drum.",
        .none,
        0.05...10, default: 1),
      ParameterSpec(
        "distance", "Of the microphones from the axis, in metres.", .none, 0.3...3, default: 0.6),
      .gain("drum", "The level of the drum.", -24...12, default: 0),
    ],
    options: [
      OptionSpec(
        "angle", "Between the microphones, in degrees.", .number(.degrees, 0...180),
        default: .number(110))
    ],
    inputs: [InputBusSpec("in", width: .upToOutput)],
    outputs: [OutputBusSpec("out", width: .exactly(2), layout: .usual)],
    presets: [
      UnitPreset("chorale", "Slow.", ["fast": 0]),
      UnitPreset("tremolo", "Fast.", ["fast": 1]),
    ])

  package struct Parameters: BitwiseCopyable {
    let fast: ParameterSignal
    let slowRate: ParameterSignal
    let fastRate: ParameterSignal
    let ramp: ParameterSignal
    let distance: ParameterSignal
    let drum: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Rotary.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Rotary.self)?.pointee.reset() })

  /// The horn or the drum.
  private struct Rotor: BitwiseCopyable {
    /// Turns per second, and the angle in turns.
    var rate: Double
    var turns: Double
    /// The distance from the axis to the opening, in metres.
    let radius: Double
    /// How much quieter it is from behind.
    let shade: Double
    /// The time constant of a speed change, in seconds.
    let inertia: Double

    // MARK: - Realtime

    @_noLocks
    init(radius: Double, shade: Double, inertia: Double) {
      rate = 0
      turns = 0
      self.radius = radius
      self.shade = shade
      self.inertia = inertia
    }

    /// Advances by a frame; `ramp` scales the inertia, in frames per second.
    @_noLocks
    mutating func turn(to wanted: Double, ramp: Double, sampleRate: Double) {
      rate += (wanted - rate) / (1 + inertia * ramp)
      let next = turns + rate / sampleRate
      turns = next < 1 ? next : next - 1
    }
  }

  private static let longestWay = 3.5
  private static var chunk: Int { @_noLocks get { 64 } }

  private let sampleRate: Double
  private let maximum: Int
  /// Half the angle between the microphones, in turns.
  private let halfAngle: Double
  private let table = SincTable(isPassive: false)
  /// The high band for the horn, and the low band for the drum.
  private let high: SampleBuffer
  private let low: SampleBuffer
  /// The angles of the horn and of the drum, frame by frame.
  private let hornTurns = NumberBuffer(count: Self.chunk)
  private let drumTurns = NumberBuffer(count: Self.chunk)
  private let cosines = NumberBuffer(count: Self.chunk)
  private let ways = NumberBuffer(count: Self.chunk)
  private let delays: UnsafeMutablePointer<FractionalDelay>
  /// The signals of the horn and of the drum at a microphone.
  private let heard: SampleBuffer
  private var line: DelayLine
  private var horn = Rotor(radius: 0.18, shade: 0.75, inertia: 0.5)
  private var drum = Rotor(radius: 0.14, shade: 0.45, inertia: 2)
  /// Two crossover filters in series, with the low band and the high band in one vector.
  private let states: UnsafeMutablePointer<SIMD2<Double>>
  private let slope: Double
  private var isFresh = true

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    halfAngle = (preparation.number("angle") ?? 110) / 720
    maximum = Self.maximum(preparation)
    heard = SampleBuffer(count: 2 * Self.chunk)
    delays = .allocate(capacity: Self.chunk)
    delays.initialize(
      repeating: FractionalDelay(
        frames: 0, atLeast: SincTable.reach, atMost: Self.maximum(preparation)), count: Self.chunk)
    high = SampleBuffer(count: Self.chunk)
    low = SampleBuffer(count: Self.chunk)
    line = DelayLine(
      channelCount: 2, maximumDelay: maximum + SincTable.reach, maximumFrameCount: Self.chunk)
    states = .allocate(capacity: 4)
    states.initialize(repeating: .zero, count: 4)
    slope = StateVariable.slope(800, sampleRate: preparation.sampleRate)
  }

  deinit {
    states.deallocate()
    delays.deallocate()
  }

  private static func maximum(_ preparation: Preparation) -> Int {
    Int(longestWay / SphericalHead.soundSpeed * preparation.sampleRate) + 2 * SincTable.reach
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let longest = maximum(preparation) + SincTable.reach
    return UnitTraits(
      tail: .frames(longest + Int(0.02 * preparation.sampleRate)), recall: longest,
      memory: SincTable.byteCount()
        + SampleBuffer.byteCount(count: 2 * chunk)
        + 2 * SampleBuffer.byteCount(count: chunk) + 4 * MemoryLayout<SIMD2<Double>>.stride
        + 4 * NumberBuffer.byteCount(count: chunk)
        + chunk * MemoryLayout<FractionalDelay>.stride
        + DelayLine.byteCount(channelCount: 2, maximumDelay: longest, maximumFrameCount: chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    if isFresh {
      horn.rate = wanted(parameters, 0)
      drum.rate = 0.9 * horn.rate
      isFresh = false
    }
    var frame = 0
    while frame < block.frameCount {
      let count = min(block.frameCount &- frame, Self.chunk)
      for index in 0..<count { split(block, frame &+ index, at: index) }
      line.write(high.samples, channel: 0, frameCount: count)
      line.write(low.samples, channel: 1, frameCount: count)
      turn(parameters, from: frame, count: count)
      for side in 0..<2 { listen(block, parameters, side: side, from: frame, count: count) }
      line.advance(count)
      frame &+= count
    }
  }

  /// The target speed of the horn, in turns per second.
  @_noLocks
  private func wanted(_ parameters: Parameters, _ frame: Int) -> Double {
    let (slow, fast) = (Double(parameters.slowRate[frame]), Double(parameters.fastRate[frame]))
    return slow + Double(parameters.fast[frame]) * (fast - slow)
  }

  /// Splits the sound at 800 Hz into bands whose sum is an all-pass.
  @_noLocks
  private func split(_ block: RenderBlock, _ frame: Int, at index: Int) {
    var sum: Float = 0
    for channel in 0..<block.inputCount { sum += block.inputs[channel][frame].finiteSample }
    let input = Double(block.inputCount > 1 ? 0.5 * sum : sum)
    let first = StateVariable.step(
      SIMD2(repeating: input), states, slope: slope, damping: StateVariable.butterworth)
    let second = StateVariable.step(
      SIMD2(first.low.x, first.high.y), states + 2, slope: slope,
      damping: StateVariable.butterworth)
    low.samples[index] = Float(second.low.x)
    high.samples[index] = Float(second.high.y)
  }

  /// Turns the horn and the drum.
  @_noLocks
  private mutating func turn(_ parameters: Parameters, from frame: Int, count: Int) {
    for index in 0..<count {
      let rate = wanted(parameters, frame &+ index)
      let ramp = Double(parameters.ramp[frame &+ index]) * sampleRate
      horn.turn(to: rate, ramp: ramp, sampleRate: sampleRate)
      drum.turn(to: 0.9 * rate, ramp: ramp, sampleRate: sampleRate)
      hornTurns.numbers[index] = horn.turns
      drumTurns.numbers[index] = drum.turns
    }
  }

  /// Renders the microphone of a side.
  @_noLocks
  private func listen(
    _ block: RenderBlock, _ parameters: Parameters, side: Int, from frame: Int, count: Int
  ) {
    let place = side == 0 ? -halfAngle : halfAngle
    let (treble, bass) = (heard.samples, heard.samples + Self.chunk)
    let distance = parameters.distance.from(frame)
    hear(horn, hornTurns.numbers, from: place, distance, channel: 0, into: treble, count: count)
    // The drum rotates in the opposite direction.
    hear(drum, drumTurns.numbers, from: -place, distance, channel: 1, into: bass, count: count)
    let output = block.outputs[side] + frame
    for index in 0..<count {
      output[index] = treble[index] + parameters.drum[frame &+ index] * bass[index]
    }
  }

  /// Renders the signal of a band at a microphone, whose angle is in turns.
  @_noLocks
  private func hear(
    _ rotor: Rotor, _ turns: UnsafePointer<Double>, from place: Double,
    _ distances: ParameterSignal, channel: Int, into output: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    let (cosines, ways, radius) = (cosines.numbers, ways.numbers, rotor.radius)
    for index in 0..<count { cosines[index] = 2 * Double.pi * (turns[index] - place) }
    self.cosines.takeCosines(count: count)
    for index in 0..<count {
      let distance = Double(distances[index])
      ways[index] =
        distance * distance + radius * radius - 2 * distance * radius * cosines[index]
    }
    self.ways.takeSquareRoots(count: count)
    for index in 0..<count {
      let distance = Double(distances[index])
      // The delay is 0 for a distance slightly shorter than any that occurs.
      let least = distance - 0.2 > 0 ? distance - 0.2 : 0
      let level = 1 - rotor.shade * (0.5 - 0.5 * cosines[index])
      let frames = (ways[index] - least) / SphericalHead.soundSpeed * sampleRate
      cosines[index] = level * distance / ways[index]
      ways[index] = frames + Double(SincTable.reach)
    }
    FractionalDelay.set(
      delays, to: ways, count: count, atLeast: SincTable.reach, atMost: maximum)
    line.readSinc(
      into: output, channel: channel, delays: delays, table: table, frameCount: count)
    for index in 0..<count { output[index] = Float(cosines[index]) * output[index] }
  }

  @_noLocks
  package mutating func reset() {
    line.clear()
    for index in 0..<4 { states[index] = .zero }
    horn.turns = 0
    drum.turns = 0
    isFresh = true
  }
}
