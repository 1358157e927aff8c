package import FxAudio

/// A step sequencer: repeats a list of values. The first step begins at frame 0.
package struct Steps: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "steps", name: "Steps", summary: "Plays a list of values in a loop.",
    category: "modulation",
    parameters: [
      .modulatorRate("Steps a second.", default: 4),
      .modulatorPeriod("a step"),
      ParameterSpec(
        "glide", "The share of a step that it takes to come from the value before.", .ratio, 0...1,
        default: 0),
    ],
    list: ListSpec(
      "steps", element: "step", form: .ordered, maximumCount: 256,
      parameters: [
        ParameterSpec("value", "The value of the step.", .none, -1...1, default: 0)
      ]),
    inputs: [], outputs: [.control("out", -1...1)])

  package struct Parameters: BitwiseCopyable {
    let rate: ParameterSignal
    let period: ParameterSignal
    let glide: ParameterSignal
  }

  package struct Item: BitwiseCopyable {
    let value: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Steps.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Steps.self)?.pointee.reset() })

  private let count: Int
  private var clock: PeriodClock

  package init(_ preparation: Preparation) {
    count = preparation.items.count
    clock = PeriodClock(preparation)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let steps = (block.parameterStorage + MemoryLayout<Parameters>.size)
      .assumingMemoryBound(to: Item.self)
    let output = block.outputs[0]
    clock.begin()
    for frame in 0..<block.frameCount {
      let place = clock.place(block, frame, parameters.rate, parameters.period)
      guard count > 0 else {
        output[frame] = 0
        continue
      }
      var value = Double(steps[step(place.count)].value[frame])
      let way = Double(parameters.glide[frame])
      if place.share < way {
        let before = Double(steps[step(place.count &- 1)].value[frame])
        value = before + (value - before) * SmoothStep.share(place.share / way)
      }
      output[frame] = Float(value)
    }
  }

  /// The value of a step by its number, which may be negative.
  @_noLocks
  private func step(_ number: Int) -> Int {
    let rest = number % count
    return rest < 0 ? rest + count : rest
  }

  @_noLocks
  package mutating func reset() { clock.reset() }
}
