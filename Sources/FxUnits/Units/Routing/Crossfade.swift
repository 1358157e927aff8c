package import FxAudio

/// Fades from one input to another.
package struct Crossfade: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "crossfade", name: "Crossfade", summary: "Fades from input `a` to input `b`.",
    category: "routing",
    parameters: [
      ParameterSpec(
        "position", "0 is `a` alone, 1 is `b` alone.", .ratio, 0...1, default: 0)
    ],
    options: [
      OptionSpec(
        "law",
        "The levels on the way: `constantPower` for two different sounds, -3 dB each in the middle; "
          + "`linear` for two that are alike, -6 dB each.",
        .choice(["constantPower", "linear"]), default: .text("constantPower"))
    ],
    inputs: [InputBusSpec("a"), InputBusSpec("b", width: .upToOutput)], rendersInPlace: false)

  package struct Parameters: BitwiseCopyable {
    let position: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Crossfade.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Crossfade.self)?.pointee.reset() })

  private let hasConstantPower: Bool
  private let firstCount: Int
  private let secondCount: Int

  package init(_ preparation: Preparation) {
    hasConstantPower = preparation.text("law") != "linear"
    firstCount = preparation.inputWidths[0]
    secondCount = preparation.inputWidths[1]
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let position = block.parameterStorage.load(as: Parameters.self).position
    for channel in 0..<block.outputCount {
      let output = block.outputs[channel]
      let first = block.inputs[channel]
      // A mono second input feeds every channel.
      let index = secondCount == 1 ? 0 : channel
      guard index < secondCount else {
        for frame in 0..<block.frameCount {
          output[frame] = first[frame] * gains(position[frame]).first
        }
        continue
      }
      let second = block.inputs[firstCount &+ index]
      var last = position.value
      var levels = gains(last)
      for frame in 0..<block.frameCount {
        if position[frame] != last {
          last = position[frame]
          levels = gains(last)
        }
        output[frame] = levels.first * first[frame] + levels.second * second[frame]
      }
    }
  }

  @_noLocks
  private func gains(_ position: Float) -> (first: Float, second: Float) {
    guard hasConstantPower, position > 0, position < 1 else { return (1 - position, position) }
    let (sine, cosine) = Math.sinCos(Double(position) * (Double.pi / 2))
    return (Float(cosine), Float(sine))
  }

  @_noLocks
  package mutating func reset() {}
}
