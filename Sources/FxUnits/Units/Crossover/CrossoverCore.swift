import FxAudio

/// The shared part of the multiband units: a crossover network whose frequencies follow parameters.
struct CrossoverCore: ~Copyable {
  /// The maximum number of crossovers in a unit.
  static var largestCount: Int { 4 }

  private var network: LinkwitzRileyNetwork
  private var grid = ControlGrid()
  private let frequencies: UnsafeMutablePointer<ControlValue>
  private let crossoverCount: Int

  init(_ preparation: Preparation) {
    let bandCount = max(preparation.items.count, 1)
    crossoverCount = bandCount - 1
    network = LinkwitzRileyNetwork(
      order: Self.order(preparation), bandCount: bandCount,
      channelCount: preparation.channelCount, sampleRate: preparation.sampleRate)
    frequencies = .allocate(capacity: bandCount)
    frequencies.initialize(repeating: ControlValue(), count: bandCount)
  }

  deinit { frequencies.deallocate() }

  private static func order(_ preparation: Preparation) -> Int {
    preparation.number("order").flatMap { Int(exactly: $0) } ?? 4
  }

  /// Rejects invalid options.
  static func check(_ preparation: Preparation) throws(Failure) {
    guard preparation.items.count >= 2 else {
      throw Failure(.usage, "it needs at least two bands")
    }
    guard order(preparation) % 2 == 0 else {
      throw Failure(.usage, "its order is 2, 4, 6 or 8")
    }
  }

  /// The upper frequencies of all bands except the last. An item has `perItem` parameters, and the
  /// upper frequency is the first.
  static func edges(_ preparation: Preparation, own: Int, perItem: Int) -> [Double] {
    (0..<max(preparation.items.count - 1, 0)).map { preparation.initial(own + $0 * perItem) }
  }

  static func traits(_ preparation: Preparation, edges: [Double]) -> UnitTraits {
    let bandCount = max(preparation.items.count, 1)
    return UnitTraits(
      tail: .ringing(
        frames: LinkwitzRileyNetwork.ringingFrames(
          order: order(preparation), frequencies: edges, sampleRate: preparation.sampleRate),
        sampleRate: preparation.sampleRate),
      memory: LinkwitzRileyNetwork.byteCount(
        order: order(preparation), bandCount: bandCount,
        channelCount: preparation.channelCount, sampleRate: preparation.sampleRate)
        + bandCount * MemoryLayout<ControlValue>.stride)
  }

  // MARK: - Realtime

  /// Splits a block.
  ///
  /// - Parameters:
  ///   - edges: The signal of the first band's upper frequency.
  ///   - stride: The distance in signals from one band to the next.
  @_noLocks
  mutating func render(
    _ block: RenderBlock, edges: UnsafePointer<ParameterSignal>, stride: Int
  ) {
    var isModulated = false
    for index in 0..<crossoverCount where edges[index &* stride].isModulated { isModulated = true }
    var start = 0
    while start < block.frameCount {
      var isSettled = isSettled(edges, stride)
      if !isSettled && grid.isDue(block.frame &+ start, isModulated: isModulated) {
        update(edges, stride, start, isModulated)
        isSettled = self.isSettled(edges, stride)
      }
      let end =
        isSettled ? block.frameCount : grid.pieceEnd(block, after: start, isModulated: isModulated)
      network.render(block, from: start, to: end)
      start = end
    }
  }

  @_noLocks
  private mutating func update(
    _ edges: UnsafePointer<ParameterSignal>, _ stride: Int, _ frame: Int, _ isModulated: Bool
  ) {
    var lowest: Float = 0
    var hasMoved = false
    for index in 0..<crossoverCount {
      if frequencies[index].take(edges[index &* stride], frame) { hasMoved = true }
      // A band cannot end below the previous one.
      lowest = max(lowest, frequencies[index].value)
      if hasMoved { network.set(index, frequency: Double(lowest), follows: isModulated) }
    }
    if !isModulated { network.startPiece() }
  }

  @_noLocks
  private func isSettled(_ edges: UnsafePointer<ParameterSignal>, _ stride: Int) -> Bool {
    if network.isMoving { return false }
    for index in 0..<crossoverCount {
      guard frequencies[index].isSettled(edges[index &* stride]) else { return false }
    }
    return true
  }

  /// See `UnitEntry.isAtRest`; `edges` as in `render`.
  @_noLocks
  func isAtRest(edges: UnsafePointer<ParameterSignal>, stride: Int) -> Bool {
    isSettled(edges, stride) && network.isAtRest
  }

  @_noLocks
  mutating func reset() {
    network.reset()
    grid.reset()
    for index in 0..<crossoverCount { frequencies[index].reset() }
  }
}

extension OptionSpec {
  /// The steepness of a crossover.
  static let crossoverOrder = OptionSpec(
    "order", "The steepness, 6 dB an octave each: 2, 4, 6 or 8 (Linkwitz-Riley).", .integer(2...8),
    default: .number(4))
}

extension ParameterSpec {
  /// The upper frequency of a band.
  static let bandEnd = frequency(
    "upTo",
    "Where the band ends and the next one begins, not below the band before; the last one has no end.",
    default: 1000)
}
