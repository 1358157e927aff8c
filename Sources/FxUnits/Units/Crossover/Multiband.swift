import FxAudio

/// A compressor for each of two to five bands.
struct Multiband: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "multiband", name: "Multiband compressor",
    summary: "Compresses two to five bands of the spectrum, each by itself.", category: "dynamics",
    parameters: [.gain("gain", "The level of the output.", -48...48)],
    options: [.crossoverOrder],
    list: ListSpec(
      "bands", element: "band", form: .ordered, maximumCount: CrossoverCore.largestCount + 1,
      parameters: [
        .bandEnd,
        ParameterSpec(
          "threshold", "The level above which the band is turned down.", .decibels, -60...0,
          default: -18
        ).againstFullScale,
        ParameterSpec(
          "ratio",
          "The ratio: so many decibels above the threshold become 1 dB; at 100 the level stays at the threshold.",
          .none,
          1...100, default: 3, smoothing: .glide(seconds: 0.02),
          choices: [.init("infinite", 100)], choicesAreExclusive: false),
        ParameterSpec(
          "knee", "How wide the bend around the threshold is.", .decibels, 0...24, default: 6),
        ParameterSpec(
          "attack", "Time to cover 63 % of an increase of the reduction.", .seconds, 0.0001...1,
          default: 0.01, smoothing: .glide(seconds: 0.02)),
        ParameterSpec(
          "release", "Time to cover 63 % of a decrease of the reduction.", .seconds, 0.005...5,
          default: 0.15, smoothing: .glide(seconds: 0.02)),
        .gain("makeup", "The level change after compression.", -24...36),
        .toggle("mute", "Whether the band is silent; it fades."),
      ]),
    readings: (1...CrossoverCore.largestCount + 1).map {
      ReadingSpec(
        "gainReduction\($0)", "The largest reduction of band \($0) in the latest block.",
        .decibels)
    })

  package struct Parameters: BitwiseCopyable {
    let gain: ParameterSignal
  }

  package struct Item: BitwiseCopyable {
    let upTo: ParameterSignal
    let threshold: ParameterSignal
    let ratio: ParameterSignal
    let knee: ParameterSignal
    let attack: ParameterSignal
    let release: ParameterSignal
    let makeup: ParameterSignal
    let mute: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Multiband.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Multiband.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Multiband.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false },
    rest: { $0.kernel(Multiband.self)?.pointee.rest(RenderBlock(at: $1)) })

  /// Frames that are processed together.
  private static var chunk: Int { @_noLocks get { 128 } }
  private static var signalsPerItem: Int { @_noLocks get { 8 } }

  private let channelCount: Int
  private let bandCount: Int
  private let readings: ReadingBoard
  private var core: CrossoverCore
  private let compressors: UnsafeMutablePointer<BandCompressor>
  private let work: SampleBuffer
  private let gains = SampleBuffer(count: Self.chunk)
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  private let edges: UnsafeMutablePointer<ParameterSignal>

  package static func check(_ preparation: Preparation) throws(Failure) {
    try CrossoverCore.check(preparation)
  }

  package init(_ preparation: Preparation) throws(Failure) {
    try CrossoverCore.check(preparation)
    channelCount = preparation.channelCount
    bandCount = preparation.items.count
    readings = preparation.readings
    core = CrossoverCore(preparation)
    compressors = .allocate(capacity: bandCount)
    compressors.initialize(
      repeating: BandCompressor(sampleRate: preparation.sampleRate), count: bandCount)
    work = SampleBuffer(count: bandCount * channelCount * Self.chunk)
    outputs = .allocate(capacity: max(bandCount * channelCount, 1))
    for index in 0..<bandCount * channelCount {
      (outputs + index).initialize(to: work.samples + index * Self.chunk)
    }
    inputs = .allocate(capacity: max(channelCount, 1))
    for channel in 0..<channelCount {
      (inputs + channel).initialize(to: UnsafePointer(work.samples))
    }
    edges = .allocate(capacity: bandCount)
    edges.initialize(repeating: ParameterSignal(constant: 0), count: bandCount)
  }

  deinit {
    compressors.deallocate()
    outputs.deallocate()
    inputs.deallocate()
    edges.deallocate()
  }

  private static func edges(_ preparation: Preparation) -> [Double] {
    CrossoverCore.edges(preparation, own: 1, perItem: signalsPerItem)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let (channels, bands) = (preparation.channelCount, preparation.items.count)
    var traits = CrossoverCore.traits(preparation, edges: edges(preparation))
    traits.memory +=
      bands * (MemoryLayout<BandCompressor>.stride + MemoryLayout<ParameterSignal>.stride)
      + SampleBuffer.byteCount(count: bands * channels * chunk)
      + SampleBuffer.byteCount(count: chunk)
      + (max(bands * channels, 1) + max(channels, 1)) * MemoryLayout<Int>.stride
    return traits
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let items = (block.parameterStorage + MemoryLayout<Parameters>.size)
      .assumingMemoryBound(to: Item.self)
    let gain = block.parameterStorage.load(as: Parameters.self).gain
    for band in 0..<bandCount { compressors[band].begin() }
    var start = 0
    while start < block.frameCount {
      let count = min(Self.chunk, block.frameCount &- start)
      split(block, items, from: start, count: count)
      for band in 0..<bandCount {
        compressors[band].process(
          outputs + band &* channelCount, channelCount: channelCount, items[band], from: start,
          count: count, block: block, gains: gains.samples)
      }
      for channel in 0..<channelCount {
        let output = block.outputs[channel] + start
        let first = outputs[channel]
        for band in 1..<bandCount {
          let samples = outputs[band &* channelCount &+ channel]
          for frame in 0..<count { first[frame] += samples[frame] }
        }
        for frame in 0..<count { output[frame] = first[frame] * gain[start &+ frame] }
      }
      start &+= count
    }
    for band in 0..<bandCount { readings[band] = compressors[band].largestReduction }
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    let items = (block.parameterStorage + MemoryLayout<Parameters>.size)
      .assumingMemoryBound(to: Item.self)
    for band in 0..<bandCount {
      guard compressors[band].isAtRest(items[band], gains.samples) else { return false }
      edges[band] = items[band].upTo
    }
    return core.isAtRest(edges: edges, stride: 1)
  }

  @_noLocks
  package mutating func rest(_ block: RenderBlock) {
    for band in 0..<bandCount {
      compressors[band].rest(frameCount: block.frameCount)
      readings[band] = compressors[band].largestReduction
    }
  }

  /// Splits a part of the block into the bands' memory.
  @_noLocks
  private mutating func split(
    _ block: RenderBlock, _ items: UnsafePointer<Item>, from start: Int, count: Int
  ) {
    for channel in 0..<channelCount { inputs[channel] = block.inputs[channel] + start }
    for band in 0..<bandCount { edges[band] = items[band].upTo.from(start) }
    let part = RenderBlock(
      inputs: inputs, inputCount: channelCount, outputs: outputs,
      outputCount: bandCount &* channelCount, frameCount: count, frame: block.frame &+ start,
      parameters: block.parameters)
    core.render(part, edges: edges, stride: 1)
  }

  @_noLocks
  package mutating func reset() {
    core.reset()
    for band in 0..<bandCount { compressors[band].reset() }
  }
}
