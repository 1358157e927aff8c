package import FxAudio
import FxDSP

/// Takes away what lies below a frequency.
package struct HighPass: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "highPass", name: "High-pass",
    summary: "Takes away what lies below a frequency.", category: "filter",
    parameters: [
      .frequency("frequency", "The cutoff, where the signal is 3 dB down.", default: 80),
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
    render: { $0.kernel(HighPass.self).pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(HighPass.self).pointee.reset() })

  private var core: FilterCore

  package init(_ preparation: Preparation) {
    let order = Butterworth.order(preparation.number("order"))
    core = FilterCore(
      .highPass, order: order == 2 ? 0 : order, preparation,
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
