package import FxAudio
import FxDSP

/// Takes out a frequency and little else.
package struct Notch: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "notch", name: "Notch",
    summary: "Takes out a frequency and little else.", category: "filter",
    parameters: [
      .frequency("frequency", "The frequency that is silenced.", default: 50),
      ParameterSpec(
        "q", "The frequency over the width between the points 3 dB down.", .none, 0.1...40,
        default: 10),
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let q: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Notch.self).pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Notch.self).pointee.reset() })

  private var core: FilterCore

  package init(_ preparation: Preparation) {
    core = FilterCore(
      .notch, preparation,
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
