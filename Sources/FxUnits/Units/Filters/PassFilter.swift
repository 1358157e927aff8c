import FxAudio

/// Single filters that do not change the level in their passband: `highPass`, `lowPass`,
/// `bandPass`, `notch` and `allPass`.
struct PassFilter: ~Copyable, RenderKernel {
  package static let specs = [
    spec(
      "highPass", "High-pass", "Takes away what lies below a frequency.",
      frequency: ("The cutoff, where the signal is 3 dB down.", 80), q: cutoffQ, options: [order]),
    spec(
      "lowPass", "Low-pass", "Takes away what lies above a frequency.",
      frequency: ("The cutoff, where the signal is 3 dB down.", 8000), q: cutoffQ,
      options: [order]),
    spec(
      "bandPass", "Band-pass", "Keeps what lies around a frequency, at its level there.",
      frequency: ("The centre.", 1000),
      q: ("The centre over the width between the points 3 dB down.", 1)),
    spec(
      "notch", "Notch", "Takes out a frequency and little else.",
      frequency: ("The frequency that is silenced.", 50),
      q: ("The frequency over the width between the points 3 dB down.", 10)),
    spec(
      "allPass", "All-pass", "Turns the phase around a frequency and leaves every level.",
      frequency: ("Where the phase is turned by half a cycle.", 1000),
      q: ("How narrow the turn is.", FilterShape.flatQuality)),
  ]

  private static let cutoffQ = (
    "The resonance at the cutoff, of order 2 alone; 0.707 is flat.", FilterShape.flatQuality
  )

  private static let order = OptionSpec(
    "order", "The steepness, 6 dB an octave each; other orders than 2 are Butterworth.",
    .integer(1...8), default: .number(2))

  private static func spec(
    _ id: String, _ name: String, _ summary: String, frequency: (summary: String, value: Double),
    q: (summary: String, value: Double), options: [OptionSpec] = []
  ) -> UnitSpec {
    UnitSpec(
      id, name: name, summary: summary, category: "filter",
      parameters: [
        .frequency("frequency", frequency.summary, default: frequency.value),
        options.isEmpty
          ? .filterQ(q.summary, default: q.value)
          : .filterQ(q.summary, default: q.value).needing("order", [.number(2)]),
      ], options: options)
  }

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let q: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(PassFilter.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(PassFilter.self)?.pointee.reset() },
    isAtRest: { $0.kernel(PassFilter.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false },
    join: { $0.kernel(PassFilter.self)?.pointee.join(RenderBlock(at: $1), $2) ?? false })

  private var core: FilterCore

  package init(_ preparation: Preparation) {
    core = FilterCore(Self.shape(preparation), order: Self.order(preparation), preparation)
  }

  private static func shape(_ preparation: Preparation) -> FilterShape {
    FilterShape(rawValue: preparation.unit) ?? .allPass
  }

  /// 0 for one section with a Q, otherwise the order of a Butterworth cascade.
  private static func order(_ preparation: Preparation) -> Int {
    let order = Butterworth.order(preparation.number("order"))
    return order == 2 ? 0 : order
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    FilterCore.traits(
      shape(preparation), order: order(preparation), preparation,
      values: (preparation.initial(0), preparation.initial(1), 1))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    core.render(block, frequency: parameters.frequency, q: parameters.q)
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    return core.isAtRest(frequency: parameters.frequency, q: parameters.q)
  }

  @_noLocks
  private mutating func join(_ block: RenderBlock, _ place: UnsafeMutableRawPointer) -> Bool {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let place = place.assumingMemoryBound(to: StillFilters.self)
    return core.join(place, frequency: parameters.frequency, q: parameters.q)
  }

  @_noLocks
  package mutating func reset() { core.reset() }
}
