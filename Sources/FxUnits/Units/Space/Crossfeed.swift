import FxAudio

/// Mixes a part of each side into the opposite ear, as with loudspeakers: for headphones.
///
/// The opposite side is low-passed. The near side loses the same amount of bass, so that centre
/// sounds keep their level at the lowest and the highest frequencies. Source: B. B. Bauer,
/// "Stereophonic Earphones and Binaural Loudspeakers", JAES 9 (1961); the levels of both filters as
/// in the documentation of bs2b.
struct Crossfeed: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "crossfeed", name: "Crossfeed",
    summary: "Lets each ear hear something of the other side: for headphones.", category: "space",
    parameters: [
      .frequency("frequency", "Above it the sides stay apart.", default: 700).ranging(300...2000),
      ParameterSpec(
        "separation", "How much louder the near side is in the bass.", .decibels, 1...15,
        default: 4.5),
      ParameterSpec(
        "delay", "How much later the far side comes.", .seconds, 0...longestTime, default: 0,
        smoothing: .glide(seconds: 0.02)),
    ],
    inputs: [InputBusSpec("in", width: .exactly(2))],
    outputs: [OutputBusSpec("out", width: .exactly(2), layout: .usual)],
    presets: [
      UnitPreset("bauer", "B. B. Bauer's network.", ["frequency": 700, "separation": 4.5]),
      UnitPreset("moy", "Chu Moy's, a little wider.", ["frequency": 700, "separation": 6]),
      UnitPreset("meier", "Jan Meier's, the lightest.", ["frequency": 650, "separation": 9.5]),
      UnitPreset(
        "linkwitz", "Siegfried Linkwitz's, with the time around the head.",
        ["frequency": 700, "separation": 3, "delay": 0.0003]),
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let separation: ParameterSignal
    let delay: ParameterSignal

    var isConstant: Bool {
      @_noLocks get { frequency.isConstant && separation.isConstant && delay.isConstant }
    }
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Crossfeed.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Crossfeed.self)?.pointee.reset() })

  private static let longestTime = 0.001
  private static var chunk: Int { @_noLocks get { 64 } }

  /// The coefficients of both filters.
  private struct Coefficients: BitwiseCopyable {
    let far: Float
    let farLevel: Float
    let near: Float
    let nearLoss: Float
    let level: Float

    // MARK: - Realtime

    @_noLocks
    init(frequency: Double, separation: Double, sampleRate: Double) {
      let farDecibels = -5.0 / 6 * separation - 3
      let far = Math.amplitude(decibels: farDecibels)
      let loss = 1 - Math.amplitude(decibels: separation / 6 - 3)
      let ratio = Math.exp2((farDecibels - Math.decibels(amplitude: loss)) / 12)
      self.far = Coefficients.share(frequency, sampleRate)
      near = Coefficients.share(frequency * ratio, sampleRate)
      farLevel = Float(far)
      nearLoss = Float(loss)
      level = Float(1 / (1 - loss + far))
    }

    /// The coefficient of a one-pole low-pass.
    @_noLocks
    private static func share(_ frequency: Double, _ sampleRate: Double) -> Float {
      Float(1 - Math.exp(-2 * Double.pi * frequency / sampleRate))
    }
  }

  private let sampleRate: Double
  private let maximum: Int
  private let table = SincTable(isPassive: false)
  private let copy: SampleBuffer
  /// Left and right: the near sides, and the later opposite sides.
  private let direct: SampleBuffer
  private let late: SampleBuffer
  private let delays: UnsafeMutablePointer<FractionalDelay>
  private var line: DelayLine
  /// Left and right: the low-passed near and opposite sides.
  private var near = SIMD2<Float>.zero
  private var far = SIMD2<Float>.zero
  private var coefficients = Coefficients(frequency: 700, separation: 4.5, sampleRate: 48000)
  private var frequency: Float = -1
  private var separation: Float = -1

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    maximum = Self.maximum(preparation)
    copy = SampleBuffer(count: Self.chunk + 2 * SincTable.reach)
    direct = SampleBuffer(count: 2 * Self.chunk)
    late = SampleBuffer(count: 2 * Self.chunk)
    delays = .allocate(capacity: Self.chunk)
    delays.initialize(
      repeating: FractionalDelay(frames: 0, atLeast: 0, atMost: maximum), count: Self.chunk)
    line = DelayLine(
      channelCount: 2, maximumDelay: maximum + SincTable.reach, maximumFrameCount: Self.chunk)
  }

  deinit { delays.deallocate() }

  private static func maximum(_ preparation: Preparation) -> Int {
    Int(longestTime * preparation.sampleRate) + 2 * SincTable.reach + 1
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let longest = maximum(preparation) + SincTable.reach
    return UnitTraits(
      latency: SincTable.reach, tail: .frames(longest + Int(0.02 * preparation.sampleRate)),
      memory: SincTable.byteCount()
        + SampleBuffer.byteCount(count: chunk + 2 * SincTable.reach)
        + 2 * SampleBuffer.byteCount(count: 2 * chunk)
        + chunk * MemoryLayout<FractionalDelay>.stride
        + DelayLine.byteCount(channelCount: 2, maximumDelay: longest, maximumFrameCount: chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var frame = 0
    while frame < block.frameCount {
      let count = min(block.frameCount &- frame, Self.chunk)
      read(block, parameters.delay, from: frame, count: count)
      line.advance(count)
      var done = 0
      while done < count {
        take(parameters, at: frame &+ done)
        let isSteady = parameters.frequency.isConstant && parameters.separation.isConstant
        let end = isSteady ? count : done &+ 1
        mix(block, from: frame, range: done..<end)
        done = end
      }
      frame &+= count
    }
  }

  /// Delays both sides: the near ones by the latency, the opposite ones by more.
  @_noLocks
  private mutating func read(
    _ block: RenderBlock, _ delay: ParameterSignal, from frame: Int, count: Int
  ) {
    for channel in 0..<2 {
      let direct = direct.samples + channel &* Self.chunk
      let source = block.inputs[channel] + frame
      for index in 0..<count { direct[index] = source[index].finiteSample }
      line.write(direct, channel: channel, frameCount: count)
      line.read(into: direct, channel: channel, delay: SincTable.reach, frameCount: count)
    }
    for index in 0..<(delay.isConstant ? 1 : count) {
      delays[index] = FractionalDelay(
        frames: Double(SincTable.reach) + Double(delay[frame &+ index]) * sampleRate,
        atLeast: SincTable.reach, atMost: maximum)
    }
    for channel in 0..<2 {
      line.readSinc(
        into: late.samples + channel &* Self.chunk, channel: 1 &- channel, delays: delays,
        isStill: delay.isConstant, table: table, copy: copy.samples, frameCount: count)
    }
  }

  @_noLocks
  private mutating func take(_ parameters: Parameters, at frame: Int) {
    guard
      parameters.frequency[frame] != frequency || parameters.separation[frame] != separation
    else { return }
    frequency = parameters.frequency[frame]
    separation = parameters.separation[frame]
    coefficients = Coefficients(
      frequency: Double(frequency), separation: Double(separation), sampleRate: sampleRate)
  }

  /// Filters and mixes the delayed frames of a chunk that begins at `frame`.
  @_noLocks
  private mutating func mix(_ block: RenderBlock, from frame: Int, range: Range<Int>) {
    let (coefficients, direct, late) = (coefficients, direct.samples, late.samples)
    let (left, right) = (block.outputs[0] + frame, block.outputs[1] + frame)
    var (near, far) = (near, far)
    for index in range {
      let sample = SIMD2(direct[index], direct[Self.chunk &+ index])
      let other = SIMD2(late[index], late[Self.chunk &+ index])
      near += coefficients.near * (sample - near)
      far += coefficients.far * (other - far)
      let mixed =
        coefficients.level
        * (sample - coefficients.nearLoss * near + coefficients.farLevel * far)
      left[index] = mixed.x
      right[index] = mixed.y
    }
    (self.near, self.far) = (near, far)
  }

  @_noLocks
  package mutating func reset() {
    line.clear()
    near = .zero
    far = .zero
    frequency = -1
    separation = -1
  }
}
