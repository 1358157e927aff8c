import FxAudio

/// The sound of a vinyl record: crackle, surface noise, rumble, and wow from a hole off centre.
///
/// Clicks are single samples of random height and time through a band-pass filter, some high, some
/// low; noise and rumble are filtered white noise.
struct Vinyl: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "vinyl", name: "Record",
    summary: "A sound played from a record: crackle, noise, rumble, wow.",
    category: "recording",
    parameters: [
      Transport.wow, Transport.flutter,
      ParameterSpec("clicks", "Clicks a second, on average.", .hertz, 0...500, default: 4),
      .gain("clickLevel", "The level of the loudest.", -(.infinity)...0, default: -18),
      .gain("noise", "The RMS level of the surface.", -(.infinity)...(-20), default: -60),
      .gain(
        "rumble", "The RMS level of the motor's noise, around 30 Hz.", -(.infinity)...(-20),
        default: -56),
      .frequency("treble", "Where the treble ends.", 1000...20000, default: 15000),
    ],
    options: [
      OptionSpec(
        "speed", "Turns a minute, which is how often its speed wavers.",
        .choice(Array(speeds.keys).sorted()), default: .text("33"))
    ],
    presets: [
      UnitPreset("played once", "A new record.", ["clicks": 0.5, "clickLevel": -30, "noise": -68]),
      UnitPreset(
        "flea market", "A single with scratches.",
        ["clicks": 14, "clickLevel": -12, "noise": -50, "wow": 0.004, "treble": 10000],
        options: ["speed": .text("45")]),
      UnitPreset(
        "shellac", "A record of 1935.",
        [
          "clicks": 60, "clickLevel": -16, "noise": -38, "rumble": -44, "wow": 0.006,
          "flutter": 0.003, "treble": 5500,
        ], options: ["speed": .text("78")]),
    ])

  /// Turns per second.
  private static let speeds = ["33": 100.0 / 180, "45": 0.75, "78": 1.3]

  package struct Parameters: BitwiseCopyable {
    let wow: ParameterSignal
    let flutter: ParameterSignal
    let clicks: ParameterSignal
    let clickLevel: ParameterSignal
    let noise: ParameterSignal
    let rumble: ParameterSignal
    let treble: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Vinyl.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Vinyl.self)?.pointee.reset() })

  /// A filter for the added noises.
  private struct Colour: BitwiseCopyable {
    let slope: Double
    let damping: Double
    /// The factors that scale filtered white noise from -1 to 1 to an RMS of 1, and a filtered
    /// impulse to a peak of about 1.
    var noiseScale = 1.0
    var impulseScale = 1.0

    enum Part { case low, band }

    init(_ hertz: Double, damping: Double, _ part: Part, sampleRate: Double) {
      slope = StateVariable.slope(hertz, sampleRate: sampleRate)
      self.damping = damping
      var state = (0.0, 0.0)
      var (energy, peak) = (0.0, 0.0)
      withUnsafeMutableBytes(of: &state) { bytes in
        guard let state = bytes.bindMemory(to: Double.self).baseAddress else { return }
        for frame in 0..<Int(sampleRate * 0.25) {
          let parts = StateVariable.step(
            frame == 0 ? 1 : 0, state, slope: slope, damping: damping)
          let value = part == .low ? parts.low : parts.band
          energy += value * value
          peak = max(peak, value.magnitude)
        }
      }
      noiseScale = Math.squareRoot(3 / max(energy, 1e-12))
      impulseScale = 1 / max(peak, 1e-12)
    }
  }

  /// The offsets of the streams of random numbers.
  private static var surfaceStream: Int { @_noLocks get { 0 } }
  private static var rumbleStream: Int { @_noLocks get { 1 &<< 57 } }
  private static var clickStream: Int { @_noLocks get { 2 &<< 57 } }
  /// Filter states per pair of channels, two each: tick, pop, surface, rumble, treble.
  private static var stateCount: Int { @_noLocks get { 10 } }
  private static var chunk: Int { @_noLocks get { Transport.chunk } }

  private let sampleRate: Double
  private let channelCount: Int
  private let random: ValueNoise
  private let tick: Colour
  private let pop: Colour
  private let surface: Colour
  private let motor: Colour
  /// For a channel and the next one.
  private let scratch: SampleBuffer
  private let slopes: SampleBuffer
  /// The height of each click, negative for a low one, and its balance between left and right.
  private let hits: SampleBuffer
  private let sides: SampleBuffer
  private let states: UnsafeMutablePointer<SIMD2<Double>>
  private var transport: Transport

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    random = ValueNoise(preparation)
    tick = Colour(4500, damping: 0.8, .band, sampleRate: sampleRate)
    pop = Colour(900, damping: 0.6, .band, sampleRate: sampleRate)
    surface = Colour(3500, damping: 1.6, .low, sampleRate: sampleRate)
    motor = Colour(30, damping: 1, .band, sampleRate: sampleRate)
    scratch = SampleBuffer(count: 2 * Self.chunk)
    slopes = SampleBuffer(count: Self.chunk)
    hits = SampleBuffer(count: Self.chunk)
    sides = SampleBuffer(count: Self.chunk)
    let stateCount = Self.stateCount * Self.pairCount(channelCount)
    states = .allocate(capacity: max(stateCount, 1))
    states.initialize(repeating: .zero, count: stateCount)
    transport = Transport(preparation, rate: Self.rate(preparation))
  }

  deinit { states.deallocate() }

  @_noLocks
  private static func pairCount(_ channelCount: Int) -> Int { (channelCount + 1) / 2 }

  private static func rate(_ preparation: Preparation) -> Double {
    preparation.text("speed").flatMap { speeds[$0] } ?? 100.0 / 180
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let late = Transport.latency(preparation, rate: rate(preparation))
    return UnitTraits(
      latency: late, tail: .frames(2 * late + Int(0.1 * preparation.sampleRate)),
      memory: 3 * SampleBuffer.byteCount(count: chunk)
        + SampleBuffer.byteCount(count: 2 * chunk)
        + max(stateCount * pairCount(preparation.channelCount), 1)
        * MemoryLayout<SIMD2<Double>>.stride
        + Transport.byteCount(preparation, rate: rate(preparation)))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var start = 0
    while start < block.frameCount {
      let count = min(Self.chunk, block.frameCount &- start)
      transport.place(
        block, from: start, count: count, wow: parameters.wow, flutter: parameters.flutter)
      StateVariable.slopes(
        parameters.treble, from: start, count: count, sampleRate: sampleRate, into: slopes.samples)
      scatter(block, parameters, from: start, count: count)
      for channel in stride(from: 0, to: channelCount, by: 2) {
        for side in 0..<min(2, channelCount &- channel) {
          let input = block.inputs[channel &+ side] + start
          let samples = scratch.samples + side &* Self.chunk
          for index in 0..<count { samples[index] = input[index].finiteSample }
          transport.move(samples, channel: channel &+ side, count: count)
        }
        play(block, parameters, channel, from: start, count: count)
      }
      transport.advance(count)
      start &+= count
    }
  }

  /// Renders a channel and the next one, if there is one.
  @_noLocks
  private func play(
    _ block: RenderBlock, _ parameters: Parameters, _ channel: Int, from start: Int, count: Int
  ) {
    let other = channel &+ 1 < channelCount ? channel &+ 1 : channel
    let (first, second) = (scratch.samples, scratch.samples + Self.chunk)
    let outputs = (block.outputs[channel] + start, block.outputs[other] + start)
    for index in 0..<count {
      let added = dirt(block, parameters, channel, start &+ index, index)
      let parts = StateVariable.step(
        SIMD2(Double(first[index]), Double(second[index])) + added, state(channel, 4),
        slope: Double(slopes.samples[index]), damping: StateVariable.butterworth)
      outputs.1[index] = Float(parts.low.y)
      outputs.0[index] = Float(parts.low.x)
    }
  }

  /// The states of a filter for a pair of channels.
  @_noLocks
  private func state(_ channel: Int, _ number: Int) -> UnsafeMutablePointer<SIMD2<Double>> {
    states + (Self.stateCount &* (channel / 2) &+ 2 &* number)
  }

  /// Sets the times, heights and sides of clicks.
  @_noLocks
  private func scatter(
    _ block: RenderBlock, _ parameters: Parameters, from start: Int, count: Int
  ) {
    for index in 0..<count {
      let place = Self.clickStream &+ 4 &* (block.frame &+ start &+ index)
      let chance = 0.5 + 0.5 * random.value(place)
      hits.samples[index] = 0
      guard chance * sampleRate < Double(parameters.clicks[start &+ index]) else { continue }
      // Most are small, a few are large.
      let size = random.value(place &+ 1)
      let height = size.magnitude * size.magnitude * size.magnitude
      hits.samples[index] = Float(size < 0 ? -height : height)
      sides.samples[index] = Float(random.value(place &+ 2))
    }
  }

  /// The noises that are added to a frame of a channel and the next one.
  @_noLocks
  private func dirt(
    _ block: RenderBlock, _ parameters: Parameters, _ channel: Int, _ frame: Int, _ index: Int
  ) -> SIMD2<Double> {
    let place = (block.frame &+ frame) &* channelCount &+ channel
    var sum = SIMD2<Double>.zero
    let hit = Double(hits.samples[index]) * Double(parameters.clickLevel[frame])
    // A click is louder on one side.
    let side = Double(sides.samples[index])
    let shares =
      hit == 0 ? .zero : SIMD2(side > 0 ? 1 - side : 1, side < 0 ? 1 + side : 1)
    let high = hit > 0 ? hit * shares * tick.impulseScale : .zero
    let low = hit < 0 ? hit * shares * pop.impulseScale : .zero
    sum +=
      StateVariable.step(high, state(channel, 0), slope: tick.slope, damping: tick.damping).band
    sum += StateVariable.step(low, state(channel, 1), slope: pop.slope, damping: pop.damping).band
    let white = noise(Double(parameters.noise[frame]), Self.surfaceStream &+ place)
    sum +=
      surface.noiseScale
      * StateVariable.step(
        white, state(channel, 2), slope: surface.slope, damping: surface.damping
      ).low
    let dull = noise(Double(parameters.rumble[frame]), Self.rumbleStream &+ place)
    sum +=
      motor.noiseScale
      * StateVariable.step(
        dull, state(channel, 3), slope: motor.slope, damping: motor.damping
      ).band
    return sum
  }

  /// White noise of a level for two channels.
  @_noLocks
  private func noise(_ level: Double, _ place: Int) -> SIMD2<Double> {
    level > 0 ? level * SIMD2(random.value(place), random.value(place &+ 1)) : .zero
  }

  @_noLocks
  package mutating func reset() {
    transport.reset()
    for index in 0..<Self.stateCount &* Self.pairCount(channelCount) { states[index] = .zero }
  }
}
