package import FxAudio

/// Changes the level of the signal.
package struct Gain: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "gain", name: "Gain", summary: "Makes the signal louder or quieter.", category: "level",
    parameters: [
      .gain("gain", "The level change.", -(.infinity)...48),
      .toggle("invert", "Inverts the polarity."),
    ])

  package struct Parameters: BitwiseCopyable {
    let gain: ParameterSignal
    let invert: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Gain.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Gain.self)?.pointee.reset() })

  package init(_ preparation: Preparation) {}

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let (gain, invert) = (parameters.gain, parameters.invert)
    let isConstant = gain.isConstant && invert.isConstant
    let isScaled = isConstant || (invert.isConstant && invert.value == 0)
    let level =
      isConstant ? ParameterSignal(constant: gain.value * (1 - 2 * invert.value)) : gain
    for channel in 0..<block.outputCount {
      let (input, output) = (block.inputs[channel], block.outputs[channel])
      if isScaled {
        level.scale(input, to: output, block.frameCount)
      } else {
        for frame in 0..<block.frameCount {
          output[frame] = input[frame] * (gain[frame] * (1 - 2 * invert[frame]))
        }
      }
    }
  }

  @_noLocks
  package mutating func reset() {}
}
