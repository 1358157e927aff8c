package import FxAudio

/// Turns the level down and up again.
///
/// The level lies between 1 and `1 - depth`, on a line by the shape.
package struct Tremolo: ~Copyable, UnitKernel {
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

  package init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    swing = Swing(preparation)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    swing.begin()
    for frame in 0..<block.frameCount {
      let share = swing.share(block, frame, parameters.rate, parameters.period)
      let half = 0.5 * Double(parameters.depth[frame])
      let spread = Double(parameters.spread[frame])
      let first = Float(1 - half + half * swing.value(share))
      let second =
        spread == 0 || channelCount < 2
        ? first : Float(1 - half + half * swing.value(share, ahead: spread))
      for channel in 0..<channelCount {
        let gain = channel & 1 == 0 ? first : second
        block.outputs[channel][frame] = gain * block.inputs[channel][frame]
      }
    }
  }

  @_noLocks
  package mutating func reset() { swing.reset() }
}
