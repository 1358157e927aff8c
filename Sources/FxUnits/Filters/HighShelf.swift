package import FxAudio
import FxDSP

/// Raises or lowers everything above a frequency.
package struct HighShelf: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "highShelf", name: "High shelf",
    summary: "Raises or lowers everything above a frequency.", category: "filter",
    parameters: [
      .frequency("frequency", "Where half the gain is reached.", default: 8000),
      .gain("gain", "The level above.", -48...48),
      ParameterSpec(
        "q", "The steepness of the slope; above 0.707 it overshoots.", .none, 0.1...40,
        default: 0.707_106_781_186_547_6),
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let gain: ParameterSignal
    let q: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(HighShelf.self).pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(HighShelf.self).pointee.reset() })

  private var core: FilterCore

  package init(_ preparation: Preparation) {
    core = FilterCore(
      .highShelf, preparation,
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
