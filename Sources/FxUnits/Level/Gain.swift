package import FxAudio
import FxDSP

/// Makes the signal louder or quieter.
package struct Gain: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "gain", name: "Gain", summary: "Makes the signal louder or quieter.", category: "level",
    parameters: [.gain("gain", "The level change.", -(.infinity)...48)])

  package struct Parameters: BitwiseCopyable {
    let gain: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Gain.self).pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Gain.self).pointee.reset() })

  package init(_ preparation: Preparation) {}

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let gain = block.parameterStorage.load(as: Parameters.self).gain
    for channel in 0..<block.outputCount {
      gain.scale(block.inputs[channel], to: block.outputs[channel], block.frameCount)
    }
  }

  @_noLocks
  package mutating func reset() {}
}
