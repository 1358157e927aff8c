import FxAudio

/// An equalizer whose band gains follow the level in each band.
///
/// Each band measures its own part of the sound, or of a side-chain. While that part is louder than
/// the threshold, its gain changes by up to the range: a negative range reduces it, as a compressor
/// does; a positive one raises it. `DynamicBand` is one band. All bands measure the unprocessed
/// input; they filter it one after another.
struct DynamicEqualizer: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "dynamicEqualizer", name: "Dynamic equalizer",
    summary: "Shapes the spectrum with up to four bands that follow their own level.",
    category: "dynamics",
    list: ListSpec(
      "bands", element: "band", form: .ordered, maximumCount: 4,
      parameters: [
        .frequency("frequency", "The band's centre, or the middle of its slope.", default: 1000),
        ParameterSpec(
          "gain", "The level of the band while nothing is loud.", .decibels, -24...24, default: 0),
        .filterQ(
          "How narrow a peak is, how steep a shelf, and which part of the signal its level is taken from.",
          default: 1),
        ParameterSpec(
          "threshold", "The level of the band above which its gain moves.", .decibels, -80...0,
          default: -30
        ).againstFullScale,
        ParameterSpec(
          "ratio",
          "The gain moves by 1 - 1/ratio decibels for each one above the threshold; at 100 by all.",
          .none, 1...100, default: 3, smoothing: .glide(seconds: 0.02),
          choices: [.init("infinite", 100)], choicesAreExclusive: false),
        ParameterSpec(
          "range", "How far the gain moves at most: down below 0 dB, up above.", .decibels,
          -24...24, default: -6),
        ParameterSpec(
          "attack", "Time to cover 63 % of a move.", .seconds, 0.0005...1, default: 0.01,
          smoothing: .glide(seconds: 0.02)),
        ParameterSpec(
          "release", "Time to cover 63 % of the way back.", .seconds, 0.005...5, default: 0.12,
          smoothing: .glide(seconds: 0.02)),
        .toggle("enabled", "Whether the band is heard; it fades.", default: true),
      ],
      options: [
        OptionSpec(
          "type", "What the band does.", .choice(["peak", "lowShelf", "highShelf"]),
          default: .text("peak"))
      ]),
    inputs: [.main, .sidechain],
    readings: [
      ReadingSpec(
        "gainChange", "The largest move of a band in the latest block, up or down.", .decibels)
    ])

  package struct Parameters: BitwiseCopyable {}

  package typealias Item = DynamicBand.Signals

  package static let entry = UnitEntry(
    render: { $0.kernel(DynamicEqualizer.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(DynamicEqualizer.self)?.pointee.reset() })

  private let channelCount: Int
  private let firstKey: Int
  private let readings: ReadingBoard
  private let bandCount: Int
  private let bands: UnsafeMutablePointer<DynamicBand>
  private var grid = ControlGrid()

  /// Frames that are processed together, few enough for the L1 cache.
  private static var chunk: Int { 128 }

  package init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    let keys = preparation.keyChannels
    firstKey = keys.lowerBound
    readings = preparation.readings
    bandCount = preparation.items.count
    bands = .allocate(capacity: max(1, bandCount))
    for (index, item) in preparation.items.enumerated() {
      (bands + index).initialize(
        to: DynamicBand(
          Self.shape(item), channelCount: channelCount, keyCount: keys.count,
          maximumFrameCount: Self.chunk, sampleRate: preparation.sampleRate))
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
      let slot = index * DynamicBand.Signals.count
      let gain = preparation.initial(slot + 1)
      let ringing = [gain, gain + preparation.initial(slot + 5)].map { decibels in
        FilterSection(
          shape(item), frequency: preparation.initial(slot),
          quality: preparation.initial(slot + 2), amplitude: Math.amplitude(decibels: decibels),
          sampleRate: sampleRate
        ).ringingFrames
      }
      frames += ringing.max() ?? 0
    }
    return UnitTraits(
      tail: .ringing(frames: frames, sampleRate: sampleRate),
      memory: preparation.items.count
        * DynamicBand.byteCount(
          channelCount: preparation.channelCount, keyCount: preparation.keyChannels.count,
          maximumFrameCount: chunk))
  }

  deinit {
    bands.deinitialize(count: bandCount)
    bands.deallocate()
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let signals = block.parameterStorage.assumingMemoryBound(to: Item.self)
    var isModulated = false
    for index in 0..<bandCount where signals[index].isModulated { isModulated = true }
    var furthest: Float = 0
    var frame = 0
    while frame < block.frameCount {
      if grid.isDue(block.frame &+ frame, isModulated: isModulated) {
        for index in 0..<bandCount { bands[index].update(signals[index], at: frame) }
      }
      var (isStill, isTuned) = (true, true)
      for index in 0..<bandCount {
        bands[index].tune(signals[index], at: frame)
        isTuned = isTuned && bands[index].isTuned(signals[index])
        isStill = isStill && bands[index].isSettled(signals[index])
      }
      let end =
        isStill && isTuned
        ? block.frameCount
        : grid.pieceEnd(block, after: frame, isModulated: isModulated || !isTuned)
      let count = min(end &- frame, Self.chunk)
      // Every band measures the input before any band filters it, which may be in place.
      for index in 0..<bandCount {
        let moved = bands[index].follow(
          block.inputs + firstKey, signals[index], at: frame, count: count)
        furthest = moved > furthest ? moved : furthest
      }
      for index in 0..<bandCount {
        bands[index].process(block, readsOutputs: index > 0, at: frame, count: count)
      }
      frame &+= count
    }
    if bandCount == 0 {
      for channel in 0..<channelCount {
        let (input, output) = (block.inputs[channel], block.outputs[channel])
        for index in 0..<block.frameCount { output[index] = input[index] }
      }
    }
    readings[0] = furthest * Float(GainComputer.decibelsPerOctave)
  }

  @_noLocks
  package mutating func reset() {
    grid.reset()
    for index in 0..<bandCount { bands[index].reset() }
  }
}
