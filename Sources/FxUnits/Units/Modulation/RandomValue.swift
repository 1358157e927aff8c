import FxAudio

/// Outputs a new random value in every period. The chain's `seed` and the node's id determine the
/// values.
struct RandomValue: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "random", name: "Random", summary: "Gives a new random value from -1 to 1 in every period.",
    category: "modulation",
    parameters: [
      .modulatorRate("Values a second.", default: 2),
      .modulatorPeriod("a value"),
      ParameterSpec(
        "smoothing", "The share of a period that the change to the next value takes.",
        .ratio, 0...1, default: 0.25),
    ],
    inputs: [], outputs: [.control("out", -1...1)])

  package struct Parameters: BitwiseCopyable {
    let rate: ParameterSignal
    let period: ParameterSignal
    let smoothing: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(RandomValue.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(RandomValue.self)?.pointee.reset() })

  private let noise: ValueNoise
  private var clock: PeriodClock

  package init(_ preparation: Preparation) {
    noise = ValueNoise(preparation)
    clock = PeriodClock(preparation)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let output = block.outputs[0]
    clock.begin()
    for frame in 0..<block.frameCount {
      let place = clock.place(block, frame, parameters.rate, parameters.period)
      output[frame] = Float(
        noise.value(place.count, at: place.share, way: Double(parameters.smoothing[frame])))
    }
  }

  @_noLocks
  package mutating func reset() { clock.reset() }
}
