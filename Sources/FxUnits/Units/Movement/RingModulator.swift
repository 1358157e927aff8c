import FxAudio

/// Multiplies a sound by a sine: each frequency becomes two, the sum and the difference.
struct RingModulator: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "ringModulator", name: "Ring modulator",
    summary: "Multiplies a sound by a sine, which makes sums and differences of frequencies.",
    category: "movement",
    parameters: [
      .frequency("frequency", "The frequency of the sine.", 1...20000, default: 440),
      Swing.spread(0),
    ],
    presets: [
      UnitPreset("robot", "A voice of tin.", ["frequency": 50]),
      UnitPreset("bells", "Tones of no key.", ["frequency": 740]),
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let spread: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(RingModulator.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(RingModulator.self)?.pointee.reset() })

  private let channelCount: Int
  private var clock: PeriodClock
  private let shares = NumberBuffer(count: Self.chunk)
  private let angles = NumberBuffer(count: Self.chunk)
  /// The carrier of the first channel, then that of the second.
  private let carriers = SampleBuffer(count: 2 * Self.chunk)

  /// Frames that are processed together.
  private static var chunk: Int { @_noLocks get { 64 } }

  package init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    clock = PeriodClock(preparation)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(
      memory: 2 * NumberBuffer.byteCount(count: chunk) + SampleBuffer.byteCount(count: 2 * chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    clock.begin()
    var frame = 0
    while frame < block.frameCount {
      let count = min(block.frameCount &- frame, Self.chunk)
      findShares(block, parameters.frequency, from: frame, count: count)
      for side in 0..<min(channelCount, 2) {
        findCarrier(parameters.spread, side: side, from: frame, count: count)
      }
      for channel in 0..<channelCount {
        let carrier = carriers.samples + (channel & 1) &* Self.chunk
        let (input, output) = (block.inputs[channel] + frame, block.outputs[channel] + frame)
        for index in 0..<count { output[index] = carrier[index] * input[index] }
      }
      frame &+= count
    }
  }

  @_noLocks
  private mutating func findShares(
    _ block: RenderBlock, _ frequency: ParameterSignal, from frame: Int, count: Int
  ) {
    if frequency.isConstant {
      clock.findShares(
        from: block.frame &+ frame, count: count, rate: frequency.value, into: shares.numbers)
      return
    }
    for index in 0..<count {
      let now = frame &+ index
      shares.numbers[index] =
        clock.place(
          of: block.frame + now, rate: frequency[now], beats: 0, phase: 0, in: block.time
        ).share
    }
  }

  @_noLocks
  private func findCarrier(_ spread: ParameterSignal, side: Int, from frame: Int, count: Int) {
    for index in 0..<count {
      let ahead = side == 0 ? 0 : Double(spread[frame &+ index])
      angles.numbers[index] = 2 * .pi * (shares.numbers[index] + ahead)
    }
    angles.takeSines(count: count)
    let carrier = carriers.samples + side &* Self.chunk
    for index in 0..<count { carrier[index] = Float(angles.numbers[index]) }
  }

  @_noLocks
  package mutating func reset() { clock.reset() }
}
