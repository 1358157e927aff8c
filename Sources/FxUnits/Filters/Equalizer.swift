package import FxAudio
import FxDSP

/// Shapes the spectrum with any number of bands, one after the other.
package struct Equalizer: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "equalizer", name: "Equalizer",
    summary: "Shapes the spectrum with any number of bands, one after the other.",
    category: "filter",
    parameters: [.gain("gain", "The level of the output.", -48...48)],
    list: ListSpec(
      "bands", element: "band", form: .ordered, maximumCount: 64,
      parameters: [
        .frequency("frequency", "The band's centre, cutoff or middle of the slope.", default: 1000),
        .filterGain("The level of a peak or a shelf; the other types have none.")
          .needing("type", [.text("peak"), .text("lowShelf"), .text("highShelf")]),
        .filterQ(
          "How narrow a peak is, how resonant a cutoff, how steep a shelf.",
          default: FilterShape.flatQuality),
        .toggle("enabled", "Whether the band is heard; it fades.", default: true),
      ],
      options: [
        OptionSpec(
          "type", "What the band does.",
          .choice(Self.types), default: .text("peak"))
      ]))

  private static let types = [
    "peak", "lowShelf", "highShelf", "lowPass", "highPass", "bandPass", "notch", "allPass",
  ]

  package struct Parameters: BitwiseCopyable {
    let gain: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Equalizer.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Equalizer.self)?.pointee.reset() })

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

  private struct Band: BitwiseCopyable {
    let shape: FilterShape
    private var frequency = ControlValue()
    private var gain = ControlValue()
    private var q = ControlValue()
    private var enabled = ControlValue()

    init(_ shape: FilterShape) { self.shape = shape }

    // MARK: - Realtime

    /// Takes the values at a frame; true when one is another than before.
    @_noLocks
    mutating func take(_ signals: Item, _ frame: Int) -> Bool {
      let moved = frequency.take(signals.frequency, frame)
      let gainMoved = gain.take(signals.gain, frame)
      let qMoved = q.take(signals.q, frame)
      let enabledMoved = enabled.take(signals.enabled, frame)
      return moved || gainMoved || qMoved || enabledMoved
    }

    /// The design for the values last taken.
    @_noLocks
    func section(_ sampleRate: Double) -> FilterSection {
      FilterSection(
        shape, frequency: Double(frequency.value), quality: Double(q.value),
        amplitude: Double(gain.value), share: Double(enabled.value), sampleRate: sampleRate)
    }

    @_noLocks
    func isSettled(_ signals: Item) -> Bool {
      frequency.isSettled(signals.frequency) && gain.isSettled(signals.gain)
        && q.isSettled(signals.q) && enabled.isSettled(signals.enabled)
    }

    @_noLocks
    mutating func reset() {
      frequency.reset()
      gain.reset()
      q.reset()
      enabled.reset()
    }
  }

  private let sampleRate: Double
  private let bandCount: Int
  private let bands: UnsafeMutablePointer<Band>
  private var cascade: FilterCascade
  private var grid = ControlGrid()

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    bandCount = preparation.items.count
    bands = .allocate(capacity: max(1, bandCount))
    cascade = FilterCascade(
      sectionCount: bandCount, channelCount: preparation.outputWidths.first ?? 0,
      sampleRate: sampleRate)
    for (index, item) in preparation.items.enumerated() {
      (bands + index).initialize(to: Band(Self.shape(item)))
    }
  }

  private static func shape(_ item: ListItem) -> FilterShape {
    guard case .text(let type)? = item.options["type"] else { return .peak }
    return FilterShape(rawValue: type) ?? .peak
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let sampleRate = preparation.sampleRate
    var frames = 0.0
    for (index, item) in preparation.items.enumerated() {
      let slot = 1 + index * 4
      frames +=
        FilterSection(
          shape(item), frequency: preparation.initial(slot),
          quality: preparation.initial(slot + 2),
          amplitude: Math.amplitude(decibels: preparation.initial(slot + 1)),
          sampleRate: sampleRate
        ).ringingFrames
    }
    return UnitTraits(
      tail: .ringing(frames: frames, sampleRate: sampleRate),
      memory: preparation.items.count * MemoryLayout<Band>.stride
        + FilterCascade.byteCount(
          sectionCount: preparation.items.count,
          channelCount: preparation.outputWidths.first ?? 0, sampleRate: sampleRate))
  }

  deinit { bands.deallocate() }

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
      cascade.render(block, from: start, to: end)
      start = end
    }
    let gain = block.parameterStorage.load(as: Parameters.self).gain
    if gain.isConstant && gain.value == 1 { return }
    for channel in 0..<block.outputCount {
      let output = block.outputs[channel]
      gain.scale(UnsafePointer(output), to: output, block.frameCount)
    }
  }

  /// Designs the bands anew whose parameters differ from what they were designed for, and takes
  /// those on their way on.
  @_noLocks
  private mutating func update(_ signals: UnsafePointer<Item>, _ frame: Int) {
    for index in 0..<bandCount where !signals[index].isModulated {
      guard bands[index].take(signals[index], frame) else { continue }
      cascade.set(index, bands[index].section(sampleRate))
    }
    cascade.startPiece()
  }

  /// Designs the bands that control signals move for one frame.
  @_noLocks
  private mutating func follow(_ signals: UnsafePointer<Item>, _ frame: Int) {
    for index in 0..<bandCount where signals[index].isModulated {
      guard bands[index].take(signals[index], frame) else { continue }
      cascade.follow(index, bands[index].section(sampleRate))
    }
  }

  @_noLocks
  private func isModulated(_ signals: UnsafePointer<Item>) -> Bool {
    for index in 0..<bandCount where signals[index].isModulated { return true }
    return false
  }

  @_noLocks
  private func isSettled(_ signals: UnsafePointer<Item>) -> Bool {
    if cascade.isMoving { return false }
    for index in 0..<bandCount {
      guard bands[index].isSettled(signals[index]) else { return false }
    }
    return true
  }

  @_noLocks
  package mutating func reset() {
    cascade.reset()
    grid.reset()
    for index in 0..<bandCount { bands[index].reset() }
  }
}
