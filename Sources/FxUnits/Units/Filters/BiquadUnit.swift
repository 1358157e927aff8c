import FxAudio

/// Filters by coefficients: sections of second order, one after the other.
struct BiquadUnit: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "biquad", name: "Biquad",
    summary: "Filters by coefficients: sections of second order, one after the other.",
    category: "filter",
    options: [
      OptionSpec(
        "rate",
        "The sample rate that the coefficients are made for; a chain with another one is refused. 0: any.",
        .number(.hertz, 0...1_000_000), default: .number(0))
    ],
    list: ListSpec(
      "sections", element: "section", form: .ordered, maximumCount: 64,
      parameters: [],
      options: [
        OptionSpec(
          "b", "The coefficients above the line: b0 b1 b2, or b0 b1, or b0.", .text,
          default: .text("1")),
        OptionSpec(
          "a", "The coefficients below the line: a0 a1 a2, or a0 a1, or a0.", .text,
          default: .text("1")),
      ]))

  package struct Parameters: BitwiseCopyable {}

  package static let entry = UnitEntry(
    render: { $0.kernel(BiquadUnit.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(BiquadUnit.self)?.pointee.reset() },
    isAtRest: { kernel, _ in kernel.kernel(BiquadUnit.self)?.pointee.cascade.isAtRest ?? false },
    join: { $0.kernel(BiquadUnit.self)?.pointee.join($2) ?? false })

  private var cascade: FilterCascade

  package init(_ preparation: Preparation) throws(Failure) {
    let filters = try Self.filters(preparation)
    cascade = FilterCascade(
      sectionCount: filters.count, channelCount: preparation.channelCount,
      sampleRate: preparation.sampleRate)
    for (index, filter) in filters.enumerated() {
      cascade.set(index, FilterSection(filter, share: 1))
    }
  }

  package static func check(_ preparation: Preparation) throws(Failure) {
    _ = try filters(preparation)
  }

  private static func filters(_ preparation: Preparation) throws(Failure) -> [Biquad] {
    if case .number(let rate)? = preparation.options["rate"], rate != 0,
      rate != preparation.sampleRate
    {
      throw Failure(
        .usage,
        "its coefficients are for \(Int(rate)) Hz, and the chain runs at \(Int(preparation.sampleRate)) Hz"
      )
    }
    var filters: [Biquad] = []
    for (index, item) in preparation.items.enumerated() {
      let owner = "its section \(index + 1)"
      let (b, a) = (
        try coefficients("b", item, owner), try coefficients("a", item, owner)
      )
      guard a.0 != 0 else { throw Failure(.usage, "\(owner) has the a0 0") }
      let filter = Biquad(
        b0: b.0 / a.0, b1: b.1 / a.0, b2: b.2 / a.0, a1: a.1 / a.0, a2: a.2 / a.0)
      guard filter.isStable else {
        throw Failure(.usage, "\(owner) is not stable: it has a pole on the unit circle or outside")
      }
      filters.append(filter)
    }
    return filters
  }

  /// One to three numbers; those that are not there are 0.
  private static func coefficients(
    _ name: String, _ item: ListItem, _ owner: String
  ) throws(Failure) -> (Double, Double, Double) {
    guard case .text(let text)? = item.options[name] else {
      throw Failure(.usage, "\(owner) needs '\(name)'")
    }
    let words = text.split { $0 == " " || $0 == "," }
    let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
    guard (1...3).contains(words.count), numbers.count == words.count else {
      throw Failure(.usage, "\(owner) has a '\(name)' that is not one to three numbers: '\(text)'")
    }
    return (
      numbers[0], numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0
    )
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    // Coefficients with a mistake are rejected when the unit is made.
    let filters = (try? filters(preparation)) ?? []
    let frames = filters.reduce(0) {
      $0 + ($1.isGain ? 0 : FilterSection($1, share: 1).ringingFrames)
    }
    return UnitTraits(
      tail: frames == 0
        ? .frames(0) : .ringing(frames: frames, sampleRate: preparation.sampleRate),
      memory: FilterCascade.byteCount(
        sectionCount: preparation.items.count, channelCount: preparation.channelCount,
        sampleRate: preparation.sampleRate),
      filterCount: filters.count)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    cascade.render(block, from: 0, to: block.frameCount)
  }

  /// See `UnitEntry.join`.
  @_noLocks
  private mutating func join(_ place: UnsafeMutableRawPointer) -> Bool {
    cascade.join(place.assumingMemoryBound(to: StillFilters.self))
  }

  @_noLocks
  package mutating func reset() { cascade.reset() }
}

extension Biquad {
  /// True for a filter without memory.
  fileprivate var isGain: Bool { b1 == 0 && b2 == 0 && a1 == 0 && a2 == 0 }
}
