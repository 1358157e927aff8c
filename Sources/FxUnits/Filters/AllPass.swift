package import FxAudio
import FxDSP

/// Turns the phase around a frequency and leaves every level.
package struct AllPass: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "allPass", name: "All-pass",
    summary: "Turns the phase around a frequency and leaves every level.", category: "filter",
    parameters: [
      .frequency("frequency", "Where the phase is turned by half a cycle.", default: 1000),
      ParameterSpec(
        "q", "How narrow the turn is.", .none, 0.1...40, default: 0.707_106_781_186_547_6),
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let q: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(AllPass.self).pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(AllPass.self).pointee.reset() })

  private var core: FilterCore

  package init(_ preparation: Preparation) {
    core = FilterCore(
      .allPass, preparation,
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
