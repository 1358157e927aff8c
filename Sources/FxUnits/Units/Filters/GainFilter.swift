import FxAudio

/// Single filters that raise or lower a part of the spectrum: `peak`, `lowShelf` and `highShelf`.
struct GainFilter: ~Copyable, RenderKernel {
  package static let specs = [
    spec(
      "peak", "Peak", "Raises or lowers what lies around a frequency.",
      frequency: ("The centre.", 1000), gain: "The level at the centre.",
      q: ("The centre over the width between the points of half the gain.", 1)),
    spec(
      "lowShelf", "Low shelf", "Raises or lowers everything below a frequency.",
      frequency: ("Where half the gain is reached.", 120), gain: "The level below.", q: slope),
    spec(
      "highShelf", "High shelf", "Raises or lowers everything above a frequency.",
      frequency: ("Where half the gain is reached.", 8000), gain: "The level above.", q: slope),
  ]

  private static let slope = (
    "The steepness of the slope; above 0.707 it overshoots.", FilterShape.flatQuality
  )

  private static func spec(
    _ id: String, _ name: String, _ summary: String, frequency: (summary: String, value: Double),
    gain: String, q: (summary: String, value: Double)
  ) -> UnitSpec {
    UnitSpec(
      id, name: name, summary: summary, category: "filter",
      parameters: [
        .frequency("frequency", frequency.summary, default: frequency.value),
        .filterGain(gain),
        .filterQ(q.summary, default: q.value),
      ])
  }

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let gain: ParameterSignal
    let q: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(GainFilter.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(GainFilter.self)?.pointee.reset() },
    isAtRest: { $0.kernel(GainFilter.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false },
    join: { $0.kernel(GainFilter.self)?.pointee.join(RenderBlock(at: $1), $2) ?? false })

  private var core: FilterCore

  package init(_ preparation: Preparation) {
    core = FilterCore(Self.shape(preparation), preparation)
  }

  private static func shape(_ preparation: Preparation) -> FilterShape {
    FilterShape(rawValue: preparation.unit) ?? .peak
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    FilterCore.traits(
      shape(preparation), preparation,
      values: (
        preparation.initial(0), preparation.initial(2),
        Math.amplitude(decibels: preparation.initial(1))
      ))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    core.render(block, frequency: parameters.frequency, q: parameters.q, gain: parameters.gain)
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    return core.isAtRest(frequency: parameters.frequency, q: parameters.q, gain: parameters.gain)
  }

  @_noLocks
  private mutating func join(_ block: RenderBlock, _ place: UnsafeMutableRawPointer) -> Bool {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let place = place.assumingMemoryBound(to: StillFilters.self)
    return core.join(
      place, frequency: parameters.frequency, q: parameters.q, gain: parameters.gain)
  }

  @_noLocks
  package mutating func reset() { core.reset() }
}
