package import FxAudio

/// Shapes the spectrum with any number of bands in series.
package struct Equalizer: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "equalizer", name: "Equalizer",
    summary: "Shapes the spectrum with any number of bands, one after the other.",
    category: "filter",
    parameters: [.gain("gain", "The level of the output.", -48...48)],
    options: [
      OptionSpec(
        "response",
        "Whether the bands are the usual digital ones (bilinear), which are squeezed towards half the "
          + "rate, or keep the level of their analog prototypes up to 18 kHz (analog).",
        .choice(["bilinear", "analog"]), default: .text("bilinear")),
      OptionSpec(
        "curve",
        "Levels that the sound is brought to, on lines between frequencies: 20 0; 100 3; 8000 -2 in hertz "
          + "and decibels. Several curves, separated by a vertical bar, add up; one may begin with its "
          + "channels: FL: 20 0; 100 3.", .text, default: .text("")),
      OptionSpec(
        "curveLength",
        "How closely the curve is followed below 100 Hz: by a filter of 0.17 s (short), or by one of 0.68 s "
          + "(long), which the curves of a file have.",
        .choice(MinimumPhaseImpulse.Length.allCases.map(\.rawValue)), default: .text("short")),
      OptionSpec(
        "file",
        "A file of AutoEq, Equalizer APO, Room EQ Wizard or Peace, whose bands come before the "
          + "chain's own; its preamp is the gain and its graphic equalizer the curve where the chain gives "
          + "none.", .equalizerFile,
        default: .text("")),
    ],
    list: ListSpec(
      "bands", element: "band", form: .ordered, maximumCount: 64,
      parameters: [
        .frequency("frequency", "The band's centre, cutoff or middle of the slope.", default: 1000),
        .filterGain(
          "The level of a peak, a shelf or the treble of a tilt, or of everything (level); the other types have none."
        )
        .needing(
          "type",
          [.text("peak"), .text("lowShelf"), .text("highShelf"), .text("tilt"), .text("level")]),
        .filterQ(
          "How narrow a peak is, how resonant a cutoff, how steep a shelf.",
          default: FilterShape.flatQuality),
        .toggle("enabled", "Whether the band is heard; it fades.", default: true),
      ],
      options: [
        OptionSpec(
          "type", "What the band does.",
          .choice(Self.types), default: .text("peak")),
        OptionSpec(
          "order",
          "The steepness, 6 dB an octave each: 1 to 8 of a lowPass or highPass, 1 or 2 of a shelf or an "
            + "allPass. Other orders than 2 have no Q.", .integer(1...8), default: .number(2)),
        OptionSpec(
          "channels",
          "The channels that the band processes: all channels, one side of a stereo signal, its middle or its "
            + "sides, or some channels by name or number. A channel with a question mark (LFE?) may be missing.",
          .channels(EqualizerRun.Part.words), default: .text("all")),
      ]),
    presets: [
      UnitPreset(
        "telephone", "300 Hz to 3.4 kHz.", [:],
        options: ["curve": .text("150 -48; 300 0; 3400 0; 5000 -48")]),
      UnitPreset(
        "medium wave", "A radio of 1950: 100 Hz to 4.5 kHz.", [:],
        options: ["curve": .text("40 -36; 100 0; 1200 2; 4500 0; 7000 -48")]),
      UnitPreset(
        "pocket radio", "A loudspeaker as small as a coin.", [:],
        options: ["curve": .text("150 -36; 500 0; 1800 6; 5000 0; 10000 -24")]),
    ])

  private static let types = [
    "peak", "lowShelf", "highShelf", "lowPass", "highPass", "bandPass", "notch", "allPass",
    "tilt", "level",
  ]

  package struct Parameters: BitwiseCopyable {
    let gain: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Equalizer.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Equalizer.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Equalizer.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false },
    rest: { $0.kernel(Equalizer.self)?.pointee.rest(RenderBlock(at: $1)) },
    join: { $0.kernel(Equalizer.self)?.pointee.join(RenderBlock(at: $1), $2) ?? false })

  package struct Item: BitwiseCopyable {
    let frequency: ParameterSignal
    let gain: ParameterSignal
    let q: ParameterSignal
    let enabled: ParameterSignal

    var isModulated: Bool {
      @_noLocks get {
        frequency.isModulated || gain.isModulated || q.isModulated || enabled.isModulated
      }
    }
  }

  private let sampleRate: Double
  private let bandCount: Int
  private let bands: UnsafeMutablePointer<EqualizerBand>
  private let runCount: Int
  private let runs: UnsafeMutablePointer<EqualizerRun>
  private var curve: EqualizerCurve
  private var grid = ControlGrid()

  package init(_ preparation: Preparation) throws(Failure) {
    try Self.check(preparation)
    let layout = try Self.layout(preparation)
    let impulses = try EqualizerCurve.impulses(preparation)
    sampleRate = preparation.sampleRate
    bandCount = preparation.items.count
    runCount = layout.count
    bands = .allocate(capacity: max(1, bandCount))
    runs = .allocate(capacity: max(1, runCount))
    var band = 0
    for (index, run) in layout.enumerated() {
      var section = 0
      for item in run.items {
        (bands + band).initialize(
          to: EqualizerBand(
            item, isAnalog: Self.isAnalog(preparation), run: index, firstSection: section))
        section += EqualizerBand.sectionCount(item)
        band += 1
      }
      (runs + index).initialize(to: EqualizerRun(run.part, sectionCount: section, preparation))
    }
    curve = EqualizerCurve(impulses, preparation)
  }

  /// Runs of successive bands with the same channels; one run without bands if there are none.
  private static func layout(
    _ preparation: Preparation
  ) throws(Failure) -> [(part: EqualizerRun.Part, items: [ListItem])] {
    var runs: [(part: EqualizerRun.Part, items: [ListItem])] = []
    for (index, item) in preparation.items.enumerated() {
      let part = try EqualizerRun.Part(item, preparation, "its band \(index + 1)")
      if runs.last?.part == part {
        runs[runs.count - 1].items.append(item)
      } else {
        runs.append((part, [item]))
      }
    }
    return runs.isEmpty ? [(.all, [])] : runs
  }

  private static func isAnalog(_ preparation: Preparation) -> Bool {
    preparation.text("response") == "analog"
  }

  package static func check(_ preparation: Preparation) throws(Failure) {
    try EqualizerCurve.check(preparation)
    for (index, item) in preparation.items.enumerated() {
      let shape = EqualizerBand.shape(item)
      let orders = EqualizerBand.orders(shape)
      guard orders.contains(EqualizerBand.order(item)) else {
        throw Failure(
          .usage,
          orders.count == 1
            ? "its band \(index + 1) has the order 2, as every \(shape.rawValue)"
            : "its band \(index + 1), a \(shape.rawValue), has an order of \(orders.lowerBound) to \(orders.upperBound)"
        )
      }
    }
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    var frames = 0.0
    for (index, item) in preparation.items.enumerated() {
      let slot = 1 + index * 4
      frames += EqualizerBand.ringingFrames(
        item, isAnalog: isAnalog(preparation),
        values: (
          preparation.initial(slot), preparation.initial(slot + 1), preparation.initial(slot + 2)
        ), sampleRate: preparation.sampleRate)
    }
    var memory = EqualizerCurve.byteCount(preparation)
    memory += max(1, preparation.items.count) * MemoryLayout<EqualizerBand>.stride
    // Channels that the signal does not have are rejected when the unit is made.
    let runs = (try? layout(preparation)) ?? []
    for run in runs {
      memory += MemoryLayout<EqualizerRun>.stride
      memory += EqualizerRun.byteCount(
        run.part, sectionCount: run.items.reduce(0) { $0 + EqualizerBand.sectionCount($1) },
        preparation)
    }
    let ringing = Tail.ringing(
      frames: frames + Double(EqualizerCurve.tapCount(preparation)),
      sampleRate: preparation.sampleRate)
    return UnitTraits(
      tail: ringing, memory: memory, filterCount: filterCount(preparation, runs))
  }

  /// See `UnitTraits.filterCount`: 0 with a curve, and where bands filter only some channels.
  private static func filterCount(
    _ preparation: Preparation, _ runs: [(part: EqualizerRun.Part, items: [ListItem])]
  ) -> Int {
    guard EqualizerCurve.tapCount(preparation) == 0, runs.count == 1, runs[0].part == .all else {
      return 0
    }
    return runs[0].items.reduce(0) { $0 + EqualizerBand.sectionCount($1) }
  }

  deinit {
    bands.deallocate()
    runs.deinitialize(count: runCount)
    runs.deallocate()
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let signals = (block.parameterStorage + MemoryLayout<Parameters>.size)
      .assumingMemoryBound(to: Item.self)
    let isModulated = isModulated(signals)
    var start = 0
    while start < block.frameCount {
      var isSettled = isSettled(signals)
      if !isSettled && grid.isDue(block.frame + start) {
        update(signals, start)
        isSettled = self.isSettled(signals)
      }
      if isModulated { follow(signals, start) }
      let end =
        isSettled ? block.frameCount : grid.pieceEnd(block, after: start, isModulated: isModulated)
      for run in 0..<runCount {
        runs[run].render(block, from: start, to: end, isFirst: run == 0)
      }
      start = end
    }
    curve.render(block)
    let gain = block.parameterStorage.load(as: Parameters.self).gain
    if gain.isConstant && gain.value == 1 { return }
    for channel in 0..<block.outputCount {
      let output = block.outputs[channel]
      gain.scale(UnsafePointer(output), to: output, block.frameCount)
    }
  }

  /// Redesigns the bands whose parameters have changed, and continues changes in progress.
  @_noLocks
  private mutating func update(_ signals: UnsafePointer<Item>, _ frame: Int) {
    for index in 0..<bandCount where !signals[index].isModulated {
      guard bands[index].take(signals[index], frame) else { continue }
      let (run, first) = (bands[index].run, bands[index].firstSection)
      for section in 0..<bands[index].sectionCount {
        runs[run].cascade.set(first &+ section, bands[index].section(section, sampleRate))
      }
    }
    for run in 0..<runCount { runs[run].cascade.startPiece() }
  }

  /// Designs the modulated bands for one frame.
  @_noLocks
  private mutating func follow(_ signals: UnsafePointer<Item>, _ frame: Int) {
    for index in 0..<bandCount where signals[index].isModulated {
      guard bands[index].take(signals[index], frame) else { continue }
      let (run, first) = (bands[index].run, bands[index].firstSection)
      for section in 0..<bands[index].sectionCount {
        runs[run].cascade.follow(first &+ section, bands[index].section(section, sampleRate))
      }
    }
  }

  @_noLocks
  private func isModulated(_ signals: UnsafePointer<Item>) -> Bool {
    for index in 0..<bandCount where signals[index].isModulated { return true }
    return false
  }

  @_noLocks
  private func isSettled(_ signals: UnsafePointer<Item>) -> Bool {
    for run in 0..<runCount where runs[run].cascade.isMoving { return false }
    for index in 0..<bandCount {
      guard bands[index].isSettled(signals[index]) else { return false }
    }
    return true
  }

  /// See `UnitEntry.join`.
  @_noLocks
  private mutating func join(_ block: RenderBlock, _ place: UnsafeMutableRawPointer) -> Bool {
    let signals = (block.parameterStorage + MemoryLayout<Parameters>.size)
      .assumingMemoryBound(to: Item.self)
    let gain = block.parameterStorage.load(as: Parameters.self).gain
    guard gain.isConstant, gain.value == 1, !isModulated(signals), isSettled(signals) else {
      return false
    }
    return runs[0].cascade.join(place.assumingMemoryBound(to: StillFilters.self))
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    let signals = (block.parameterStorage + MemoryLayout<Parameters>.size)
      .assumingMemoryBound(to: Item.self)
    guard isSettled(signals), curve.isAtRest else { return false }
    for run in 0..<runCount where !runs[run].cascade.isAtRest { return false }
    return true
  }

  @_noLocks
  package mutating func rest(_ block: RenderBlock) { curve.rest(block) }

  @_noLocks
  package mutating func reset() {
    for run in 0..<runCount { runs[run].cascade.reset() }
    curve.reset()
    grid.reset()
    for index in 0..<bandCount { bands[index].reset() }
  }
}
