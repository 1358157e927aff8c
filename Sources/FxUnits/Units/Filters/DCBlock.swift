import FxAudio

/// Removes a constant offset and leaves the rest alone.
struct DCBlock: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "dcBlock", name: "DC block", summary: "Removes a constant offset and leaves the rest alone.",
    category: "filter",
    parameters: [
      .frequency(
        "frequency", "The cutoff, 3 dB down; 6 dB an octave below it.", 0.5...100, default: 5)
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(DCBlock.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(DCBlock.self)?.pointee.reset() },
    isAtRest: { $0.kernel(DCBlock.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false })

  private var core: FilterCore

  package init(_ preparation: Preparation) {
    core = FilterCore(.gentleHighPass, preparation)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    FilterCore.traits(.gentleHighPass, preparation, values: (preparation.initial(0), 1, 1))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    core.render(block, frequency: block.parameterStorage.load(as: Parameters.self).frequency)
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    core.isAtRest(frequency: block.parameterStorage.load(as: Parameters.self).frequency)
  }

  @_noLocks
  package mutating func reset() { core.reset() }
}
