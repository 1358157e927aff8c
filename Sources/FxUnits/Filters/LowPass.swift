package import FxAudio
import FxDSP

/// Takes away what lies above a frequency.
package struct LowPass: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "lowPass", name: "Low-pass",
    summary: "Takes away what lies above a frequency.", category: "filter",
    parameters: [
      .frequency("frequency", "The cutoff, where the signal is 3 dB down.", default: 8000),
      ParameterSpec(
        "q", "The resonance at the cutoff of order 2; 0.707 is flat.", .none, 0.1...40,
        default: 0.707_106_781_186_547_6),
    ],
    options: [
      OptionSpec(
        "order", "The steepness, 6 dB an octave each; other orders than 2 are Butterworth.",
        .integer(1...8), default: .number(2))
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let q: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(LowPass.self).pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(LowPass.self).pointee.reset() })

  private var core: FilterCore

  package init(_ preparation: Preparation) {
    let order = Butterworth.order(preparation.number("order"))
    core = FilterCore(
      .lowPass, order: order == 2 ? 0 : order, preparation,
      initial: (preparation.initial(0), preparation.initial(1), 1))
  }

  package var tail: Tail { core.tail }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    core.render(block, frequency: parameters.frequency, q: parameters.q)
  }

  @_noLocks
  package mutating func reset() { core.reset() }
}
