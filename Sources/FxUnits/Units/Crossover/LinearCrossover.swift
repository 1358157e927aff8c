import FxAudio

/// Splits the signal into two to five bands with separate outputs and the same latency; their sum
/// is the delayed signal itself.
///
/// A band is the difference of two linear-phase low-passes. The last band is the delayed signal
/// less all the others.
struct LinearCrossover: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "linearCrossover", name: "Linear-phase crossover",
    summary: "Splits the signal into two to five linear-phase bands, an output each.",
    category: "routing",
    options: [.crossoverOrder],
    list: ListSpec(
      "bands", element: "band", form: .ordered, maximumCount: CrossoverCore.largestCount + 1,
      parameters: [],
      options: [
        OptionSpec(
          "upTo",
          "Where the band ends and the next one begins; the last band has no end. Four cycles of the "
            + "lowest are the latency.", .number(.hertz, 20...20000), default: .number(1000))
      ], givesOutputs: true))

  package struct Parameters: BitwiseCopyable {}

  package static let entry = UnitEntry(
    render: { $0.kernel(LinearCrossover.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(LinearCrossover.self)?.pointee.reset() },
    isAtRest: { $0.kernel(LinearCrossover.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false },
    rest: { $0.kernel(LinearCrossover.self)?.pointee.rest(RenderBlock(at: $1)) })

  private let channelCount: Int
  private let crossoverCount: Int
  private let latency: Int
  private let lows: UnsafeMutablePointer<Convolution>
  private var line: DelayLine

  package static func check(_ preparation: Preparation) throws(Failure) {
    try CrossoverCore.check(preparation)
    let edges = edges(preparation)
    for (lower, upper) in zip(edges, edges.dropFirst()) where lower > upper {
      throw Failure(
        .usage,
        "its bands are to be in the order of their frequencies: one ends at \(Int(lower)) Hz, the next one at \(Int(upper)) Hz"
      )
    }
  }

  package init(_ preparation: Preparation) throws(Failure) {
    try Self.check(preparation)
    let edges = Self.edges(preparation)
    channelCount = preparation.channelCount
    crossoverCount = edges.count
    let delay = Self.latency(preparation)
    latency = delay
    lows = .allocate(capacity: edges.count)
    for (index, edge) in edges.enumerated() {
      let impulse = LinearPhaseLowPass.impulse(
        order: Self.order(preparation), frequency: edge, delay: delay,
        sampleRate: preparation.sampleRate)
      (lows + index).initialize(to: Convolution(impulse, channelCount: channelCount))
    }
    line = DelayLine(
      channelCount: channelCount, maximumDelay: delay,
      maximumFrameCount: preparation.maximumFrameCount)
  }

  deinit {
    lows.deinitialize(count: crossoverCount)
    lows.deallocate()
  }

  private static func order(_ preparation: Preparation) -> Int {
    preparation.number("order").flatMap { Int(exactly: $0) } ?? 4
  }

  private static func edges(_ preparation: Preparation) -> [Double] {
    preparation.items.dropLast().map { item in
      if case .number(let edge)? = item.options["upTo"] { edge } else { 1000 }
    }
  }

  private static func latency(_ preparation: Preparation) -> Int {
    edges(preparation).map {
      LinearPhaseLowPass.reach(frequency: $0, sampleRate: preparation.sampleRate)
    }.max() ?? 0
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let (delay, edges) = (latency(preparation), edges(preparation))
    let channels = preparation.channelCount
    var memory =
      edges.count * MemoryLayout<Convolution>.stride
      + DelayLine.byteCount(
        channelCount: channels, maximumDelay: delay,
        maximumFrameCount: preparation.maximumFrameCount)
    for edge in edges {
      let reach = LinearPhaseLowPass.reach(frequency: edge, sampleRate: preparation.sampleRate)
      memory += Convolution.byteCount(
        tapCount: delay + reach + 1, impulseCount: 1, channelCount: channels)
    }
    return UnitTraits(latency: delay, tail: .frames(delay + 1), memory: memory)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let last = block.outputs + crossoverCount &* channelCount
    for channel in 0..<channelCount {
      line.write(block.inputs[channel], channel: channel, frameCount: block.frameCount)
      line.read(
        into: last[channel], channel: channel, delay: latency, frameCount: block.frameCount)
    }
    line.advance(block.frameCount)
    // From the highest: the first band may share memory with the input.
    for crossover in (0..<crossoverCount).reversed() {
      let band = block.outputs + crossover &* channelCount
      lows[crossover].process(block.inputs, to: band, frameCount: block.frameCount)
      let above = band + channelCount
      for channel in 0..<channelCount {
        let (low, upper) = (band[channel], above[channel])
        for frame in 0..<block.frameCount { upper[frame] -= low[frame].finiteSample }
      }
    }
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool {
    for crossover in 0..<crossoverCount where !lows[crossover].isAtRest { return false }
    return line.isSilent
  }

  @_noLocks
  package mutating func rest(_ block: RenderBlock) {
    for crossover in 0..<crossoverCount { lows[crossover].rest(frameCount: block.frameCount) }
  }

  @_noLocks
  package mutating func reset() {
    for crossover in 0..<crossoverCount { lows[crossover].clear() }
    line.clear()
  }
}
