package import FxAudio

/// Delayed copies of a sound with modulated delays: several voices (`chorus`), or one with a
/// varying pitch (`vibrato`).
///
/// The voices are evenly spaced over a period, and together they have the level of one. Fractional
/// delays are interpolated with windowed sincs (`SincTable`).
package struct Chorus: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "chorus", name: "Chorus",
    summary: "Makes several voices of one, each with a delay time that moves.",
    category: "movement",
    parameters: parameters(rate: 0.6, depth: 0.002, time: 0.012, spread: 0.25),
    options: [
      Swing.option,
      OptionSpec("voices", "The number of voices.", .integer(1...mostVoices), default: .number(3)),
    ],
    presets: [
      UnitPreset(
        "ensemble", "Many voices.", ["rate": 0.8, "depth": 0.003, "time": 0.018],
        options: ["voices": .number(6)]),
      UnitPreset(
        "clean guitar", "One voice that shimmers.", ["rate": 0.9, "depth": 0.0015, "time": 0.007],
        options: ["voices": .number(1), "shape": .text("triangle")]),
    ],
    wet: 0.5)

  static let vibrato = UnitSpec(
    "vibrato", name: "Vibrato",
    summary: "Lets the pitch waver: by 2π times rate times depth to either side.",
    category: "movement",
    parameters: parameters(rate: 5, depth: 0.0004, time: 0.005, spread: 0),
    options: [Swing.option],
    presets: [
      UnitPreset(
        "singer", "A fifth of a semitone, as a voice does.", ["rate": 5.5, "depth": 0.00033]),
      UnitPreset(
        "worn tape", "Slow and wide, as a motor that does not hold its speed.",
        ["rate": 0.7, "depth": 0.002]),
    ])

  package static let specs = [spec, vibrato]

  private static func parameters(
    rate: Double, depth: Double, time: Double, spread: Double
  ) -> [ParameterSpec] {
    Swing.rate(rate) + [
      ParameterSpec(
        "depth", "How far the delay time moves to either side.", .seconds, 0...longestDepth,
        default: depth),
      ParameterSpec(
        "time", "The delay time in the middle.", .seconds, 0.001...longestTime, default: time,
        smoothing: .glide(seconds: 0.15)),
      Swing.spread(spread),
    ]
  }

  private static let mostVoices = 8
  private static let longestDepth = 0.01
  private static let longestTime = 0.05

  package struct Parameters: BitwiseCopyable {
    let rate: ParameterSignal
    let period: ParameterSignal
    let depth: ParameterSignal
    let time: ParameterSignal
    let spread: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Chorus.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Chorus.self)?.pointee.reset() })

  private static var chunk: Int { @_noLocks get { Swing.chunk } }

  private let sampleRate: Double
  private let channelCount: Int
  private let voiceCount: Int
  private let level: Float
  private let maximum: Int
  private let table = SincTable(isPassive: false)
  private let voice: SampleBuffer
  private let delays: UnsafeMutablePointer<FractionalDelay>
  private var line: DelayLine
  private var swing: Swing

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    channelCount = preparation.channelCount
    voiceCount = min(max(Int(preparation.number("voices") ?? 1), 1), Self.mostVoices)
    level = Float(1 / Math.squareRoot(Double(voiceCount)))
    maximum = Self.maximum(sampleRate)
    voice = SampleBuffer(count: Self.chunk)
    delays = .allocate(capacity: Self.chunk)
    delays.initialize(
      repeating: FractionalDelay(frames: 0, atLeast: SincTable.reach, atMost: maximum),
      count: Self.chunk)
    line = DelayLine(
      channelCount: channelCount, maximumDelay: maximum + SincTable.reach,
      maximumFrameCount: Self.chunk)
    swing = Swing(preparation)
  }

  deinit { delays.deallocate() }

  private static func maximum(_ sampleRate: Double) -> Int {
    Int((longestTime + longestDepth) * sampleRate) + SincTable.reach + 1
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let longest = maximum(preparation.sampleRate) + SincTable.reach
    return UnitTraits(
      tail: .frames(longest), recall: longest,
      memory: SincTable.byteCount()
        + SampleBuffer.byteCount(count: chunk)
        + chunk * MemoryLayout<FractionalDelay>.stride + Swing.byteCount
        + DelayLine.byteCount(
          channelCount: preparation.channelCount, maximumDelay: longest, maximumFrameCount: chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    swing.begin()
    var frame = 0
    while frame < block.frameCount {
      let count = min(block.frameCount &- frame, Self.chunk)
      process(block, parameters, from: frame, count: count)
      frame &+= count
    }
  }

  @_noLocks
  private mutating func process(
    _ block: RenderBlock, _ parameters: Parameters, from frame: Int, count: Int
  ) {
    swing.take(block, from: frame, count: count, rate: parameters.rate, period: parameters.period)
    for channel in 0..<channelCount {
      let output = block.outputs[channel] + frame
      let input = block.inputs[channel] + frame
      for index in 0..<count { voice.samples[index] = input[index].finiteSample }
      line.write(voice.samples, channel: channel, frameCount: count)
      for number in 0..<voiceCount {
        place(number, channel, parameters, from: frame, count: count)
        line.readSinc(
          into: voice.samples, channel: channel, delays: delays, table: table, frameCount: count)
        if number == 0 {
          for index in 0..<count { output[index] = level * voice.samples[index] }
        } else {
          for index in 0..<count { output[index] += level * voice.samples[index] }
        }
      }
    }
    line.advance(count)
  }

  /// Sets the delays of a voice.
  @_noLocks
  private func place(
    _ number: Int, _ channel: Int, _ parameters: Parameters, from frame: Int, count: Int
  ) {
    let own = Double(number) / Double(voiceCount)
    let (shares, values) = (swing.shares.numbers, swing.values.numbers)
    for index in 0..<count {
      let spread = channel & 1 == 0 ? 0 : Double(parameters.spread[frame &+ index])
      values[index] = shares[index] + (own + spread < 1 ? own + spread : own + spread - 1)
    }
    swing.findValues(count: count)
    for index in 0..<count {
      let now = frame &+ index
      let depth = Double(parameters.depth[now])
      let sway = depth > 0 ? depth * values[index] : 0
      values[index] = (Double(parameters.time[now]) + sway) * sampleRate
    }
    FractionalDelay.set(
      delays, to: values, count: count, atLeast: SincTable.reach, atMost: maximum)
  }

  @_noLocks
  package mutating func reset() {
    line.clear()
    swing.reset()
  }
}
