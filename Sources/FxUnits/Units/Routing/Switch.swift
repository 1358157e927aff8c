package import FxAudio

/// Selects one of several inputs, with a crossfade between them.
package struct Switch: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "switch", name: "Switch", summary: "Lets one of its inputs through; a change is a fade.",
    category: "routing",
    parameters: [
      ParameterSpec(
        "select", "The number of the input, in the order of `choices`; 0 is silence.", .none,
        0...32, default: 1, smoothing: .none, isInteger: true)
    ],
    options: [
      OptionSpec(
        "fade", "How long a fade takes.", .number(.seconds, 0.001...10), default: .number(0.02)),
      OptionSpec("channels", "The width of the output.", .integer(1...32), default: .number(2)),
    ],
    list: ListSpec(
      "choices", element: "choice", form: .namedInputs, maximumCount: 32, parameters: []),
    inputs: [], outputs: [OutputBusSpec("out", width: .option("channels"))], rendersInPlace: false)

  package struct Parameters: BitwiseCopyable {
    let select: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Switch.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Switch.self)?.pointee.reset() })

  private let outputCount: Int
  private let choiceCount: Int
  private let step: Float
  /// For each input: its first channel, its number of channels, and its level in the crossfade.
  private let starts: UnsafeMutablePointer<Int>
  private let widths: UnsafeMutablePointer<Int>
  private let levels: UnsafeMutablePointer<Float>
  private var isFresh = true

  package init(_ preparation: Preparation) {
    outputCount = preparation.outputWidths.first ?? 0
    choiceCount = min(preparation.inputWidths.count, preparation.items.count)
    step = Float(1 / ((preparation.number("fade") ?? 0.02) * preparation.sampleRate))
    starts = .allocate(capacity: max(1, choiceCount))
    widths = .allocate(capacity: max(1, choiceCount))
    levels = .allocate(capacity: max(1, choiceCount))
    var first = 0
    for choice in 0..<choiceCount {
      (starts + choice).initialize(to: first)
      (widths + choice).initialize(to: preparation.inputWidths[choice])
      (levels + choice).initialize(to: 0)
      first += preparation.inputWidths[choice]
    }
  }

  deinit {
    starts.deallocate()
    widths.deallocate()
    levels.deallocate()
  }

  package static func check(_ preparation: Preparation) throws(Failure) {
    let (chosen, count) = (Int(preparation.initial(0, of: spec)), preparation.items.count)
    guard chosen <= count else {
      throw Failure(
        .usage, "'select' is \(chosen), and the number of its choices is \(count)")
    }
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let count = min(preparation.inputWidths.count, preparation.items.count)
    return UnitTraits(
      memory: count * (2 * MemoryLayout<Int>.stride + MemoryLayout<Float>.stride))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let select = block.parameterStorage.load(as: Parameters.self).select
    if isFresh {
      let chosen = Int(select.value) &- 1
      for choice in 0..<choiceCount { levels[choice] = choice == chosen ? 1 : 0 }
      isFresh = false
    }
    if select.isConstant, isSettled(on: Int(select.value) &- 1) {
      pass(Int(select.value) &- 1, block)
      return
    }
    for channel in 0..<outputCount {
      let output = block.outputs[channel]
      for frame in 0..<block.frameCount { output[frame] = 0 }
    }
    for choice in 0..<choiceCount { add(choice, block, select) }
  }

  /// True when only the selected input is audible.
  @_noLocks
  private func isSettled(on chosen: Int) -> Bool {
    for choice in 0..<choiceCount where levels[choice] != (choice == chosen ? 1 : 0) {
      return false
    }
    return true
  }

  /// Passes only one input, or silence.
  @_noLocks
  private func pass(_ chosen: Int, _ block: RenderBlock) {
    for channel in 0..<outputCount {
      let output = block.outputs[channel]
      guard let input = input(of: chosen, channel) else {
        for frame in 0..<block.frameCount { output[frame] = 0 }
        continue
      }
      // Adding 0 turns -0 into 0, as in a sum.
      for frame in 0..<block.frameCount { output[frame] = 0 + block.inputs[input][frame] }
    }
  }

  /// The channel of an input that feeds an output channel.
  @_noLocks
  private func input(of choice: Int, _ channel: Int) -> Int? {
    guard choice >= 0, choice < choiceCount else { return nil }
    let width = widths[choice]
    if width == 1 { return channel < 2 ? starts[choice] : nil }
    return channel < width ? starts[choice] &+ channel : nil
  }

  /// Adds the faded signal of one input.
  @_noLocks
  private func add(_ choice: Int, _ block: RenderBlock, _ select: ParameterSignal) {
    let before = levels[choice]
    for channel in 0..<outputCount {
      guard let number = input(of: choice, channel) else { continue }
      let input = block.inputs[number]
      let output = block.outputs[channel]
      var level = before
      for frame in 0..<block.frameCount {
        level = moved(level, isChosen: Int(select[frame]) == choice &+ 1)
        if level > 0 { output[frame] += level * input[frame] }
      }
    }
    var level = before
    for frame in 0..<block.frameCount {
      level = moved(level, isChosen: Int(select[frame]) == choice &+ 1)
    }
    levels[choice] = level
  }

  @_noLocks
  private func moved(_ level: Float, isChosen: Bool) -> Float {
    let next = isChosen ? level + step : level - step
    return next < 0 ? 0 : next > 1 ? 1 : next
  }

  @_noLocks
  package mutating func reset() { isFresh = true }
}
