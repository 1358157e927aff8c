import FxAudio

/// Splits the signal into two to five bands with separate outputs; their sum has the signal's level
/// at every frequency.
struct Crossover: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "crossover", name: "Crossover",
    summary: "Splits the signal into two to five bands, an output each.", category: "routing",
    options: [.crossoverOrder],
    list: ListSpec(
      "bands", element: "band", form: .ordered, maximumCount: CrossoverCore.largestCount + 1,
      parameters: [.bandEnd], givesOutputs: true))

  package struct Parameters: BitwiseCopyable {}

  package struct Item: BitwiseCopyable {
    let upTo: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Crossover.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Crossover.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Crossover.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false })

  private var core: CrossoverCore

  package static func check(_ preparation: Preparation) throws(Failure) {
    try CrossoverCore.check(preparation)
  }

  package init(_ preparation: Preparation) throws(Failure) {
    try CrossoverCore.check(preparation)
    core = CrossoverCore(preparation)
  }

  private static func edges(_ preparation: Preparation) -> [Double] {
    CrossoverCore.edges(preparation, own: 0, perItem: 1)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    CrossoverCore.traits(preparation, edges: edges(preparation))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    core.render(block, edges: block.parameters, stride: 1)
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    core.isAtRest(edges: block.parameters, stride: 1)
  }

  @_noLocks
  package mutating func reset() { core.reset() }
}
