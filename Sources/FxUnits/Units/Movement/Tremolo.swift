import FxAudio

/// Modulates the level.
///
/// The level follows the shape linearly, between 1 and `1 - depth`.
struct Tremolo: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "tremolo", name: "Tremolo", summary: "Turns the level down and up again.",
    category: "movement",
    parameters: Swing.rate(5) + [
      ParameterSpec("depth", "How far it goes down; at 1 to silence.", .ratio, 0...1, default: 0.6),
      Swing.spread(0),
    ],
    options: [Swing.option],
    presets: [
      UnitPreset("amp", "That of a valve amplifier.", ["rate": 5.5, "depth": 0.5]),
      UnitPreset(
        "chopper", "Cuts the sound to pieces.", ["rate": 8, "depth": 1],
        options: ["shape": .text("square")]),
      UnitPreset("harmonium", "From side to side.", ["rate": 4, "depth": 0.7, "spread": 0.5]),
    ])

  package struct Parameters: BitwiseCopyable {
    let rate: ParameterSignal
    let period: ParameterSignal
    let depth: ParameterSignal
    let spread: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Tremolo.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Tremolo.self)?.pointee.reset() })

  private let channelCount: Int
  private var swing: Swing
  /// The gains of the first channel and of the second.
  private let gains = SampleBuffer(count: 2 * Swing.chunk)

  package init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    swing = Swing(preparation)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(memory: Swing.byteCount + SampleBuffer.byteCount(count: 2 * Swing.chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    swing.begin()
    var frame = 0
    while frame < block.frameCount {
      let count = min(block.frameCount &- frame, Swing.chunk)
      swing.take(
        block, from: frame, count: count, rate: parameters.rate, period: parameters.period)
      for side in 0..<min(channelCount, 2) {
        findGains(parameters, side: side, from: frame, count: count)
      }
      for channel in 0..<channelCount {
        let gains = gains.samples + (channel & 1) &* Swing.chunk
        let (input, output) = (block.inputs[channel] + frame, block.outputs[channel] + frame)
        for index in 0..<count { output[index] = gains[index] * input[index] }
      }
      frame &+= count
    }
  }

  @_noLocks
  private func findGains(_ parameters: Parameters, side: Int, from frame: Int, count: Int) {
    let spread = side == 0 ? ParameterSignal(constant: 0) : parameters.spread
    swing.findValues(ahead: spread, from: frame, count: count)
    let (values, gains) = (swing.values.numbers, gains.samples + side &* Swing.chunk)
    for index in 0..<count {
      let half = 0.5 * Double(parameters.depth[frame &+ index])
      gains[index] = Float(1 - half + half * values[index])
    }
  }

  @_noLocks
  package mutating func reset() { swing.reset() }
}
