package import FxAudio
import FxDSP

/// Raises or lowers what lies around a frequency.
package struct Peak: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "peak", name: "Peak",
    summary: "Raises or lowers what lies around a frequency.", category: "filter",
    parameters: [
      .frequency("frequency", "The centre.", default: 1000),
      .gain("gain", "The level at the centre.", -48...48),
      ParameterSpec(
        "q", "The centre over the width between the points of half the gain.", .none, 0.1...40,
        default: 1),
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let gain: ParameterSignal
    let q: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Peak.self).pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Peak.self).pointee.reset() })

  private var core: FilterCore

  package init(_ preparation: Preparation) {
    core = FilterCore(
      .peak, preparation,
      initial: (
        preparation.initial(0), preparation.initial(2),
        Math.amplitude(decibels: preparation.initial(1))
      ))
  }

  package var tail: Tail { core.tail }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    core.render(block, frequency: parameters.frequency, q: parameters.q, gain: parameters.gain)
  }

  @_noLocks
  package mutating func reset() { core.reset() }
}
