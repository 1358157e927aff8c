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
  }

  private struct Band: BitwiseCopyable {
    let shape: FilterShape
    var frequency = ControlValue()
    var gain = ControlValue()
    var q = ControlValue()
    var enabled = ControlValue()
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
      (bands + index).initialize(to: Band(shape: Self.shape(item)))
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
    var start = 0
    while start < block.frameCount {
      var isSettled = isSettled(signals)
      if !isSettled && grid.isDue(block.frame + start) {
        update(signals, start)
        isSettled = self.isSettled(signals)
      }
      let end = isSettled ? block.frameCount : grid.pieceEnd(block, after: start)
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
    for index in 0..<bandCount {
      let moved = bands[index].frequency.take(signals[index].frequency, frame)
      let gainMoved = bands[index].gain.take(signals[index].gain, frame)
      let qMoved = bands[index].q.take(signals[index].q, frame)
      let enabledMoved = bands[index].enabled.take(signals[index].enabled, frame)
      guard moved || gainMoved || qMoved || enabledMoved else { continue }
      let band = bands[index]
      cascade.set(
        index,
        FilterSection(
          band.shape, frequency: Double(band.frequency.value), quality: Double(band.q.value),
          amplitude: Double(band.gain.value), share: Double(band.enabled.value),
          sampleRate: sampleRate))
    }
    cascade.startPiece()
  }

  @_noLocks
  private func isSettled(_ signals: UnsafePointer<Item>) -> Bool {
    if cascade.isMoving { return false }
    for index in 0..<bandCount {
      guard
        bands[index].frequency.isSettled(signals[index].frequency)
          && bands[index].gain.isSettled(signals[index].gain)
          && bands[index].q.isSettled(signals[index].q)
          && bands[index].enabled.isSettled(signals[index].enabled)
      else { return false }
    }
    return true
  }

  @_noLocks
  package mutating func reset() {
    cascade.reset()
    grid.reset()
    for index in 0..<bandCount {
      bands[index].frequency.reset()
      bands[index].gain.reset()
      bands[index].q.reset()
      bands[index].enabled.reset()
    }
  }
}
