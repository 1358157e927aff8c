package import FxAudio
import FxDSP

/// Makes the signal louder or quieter.
package struct Gain: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "gain", name: "Gain", summary: "Makes the signal louder or quieter.", category: "level",
    parameters: [
      .gain("gain", "The level change.", -(.infinity)...48),
      .toggle("invert", "Turns the polarity over."),
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

  @_noLocks @inline(__always)
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let (gain, invert) = (parameters.gain, parameters.invert)
    if invert.isConstant, gain.isConstant || invert.value == 0 {
      let level =
        gain.isConstant ? ParameterSignal(constant: gain.value * (1 - 2 * invert.value)) : gain
      return level.scale(
        block.inputs, to: block.outputs, channelCount: block.outputCount,
        frameCount: block.frameCount)
    }
    for channel in 0..<block.outputCount {
      let (input, output) = (block.inputs[channel], block.outputs[channel])
      for frame in 0..<block.frameCount {
        output[frame] = input[frame] * (gain[frame] * (1 - 2 * invert[frame]))
      }
    }
  }

  @_noLocks
  package mutating func reset() {}
}
