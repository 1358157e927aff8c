package import FxAudio
import FxDSP

/// Keeps what lies around a frequency, at its level there.
package struct BandPass: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "bandPass", name: "Band-pass",
    summary: "Keeps what lies around a frequency, at its level there.", category: "filter",
    parameters: [
      .frequency("frequency", "The centre.", default: 1000),
      ParameterSpec(
        "q", "The centre over the width between the points 3 dB down.", .none, 0.1...40, default: 1),
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let q: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(BandPass.self).pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(BandPass.self).pointee.reset() })

  private var core: FilterCore

  package init(_ preparation: Preparation) {
    core = FilterCore(
      .bandPass, preparation,
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
