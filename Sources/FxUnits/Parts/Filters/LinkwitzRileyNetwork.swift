import FxAudio

/// Splits a signal into bands. The sum of the bands has the signal's level at every frequency.
///
/// Each side of a crossover is two equal Butterworth filters in series, both sides in phase
/// (Linkwitz–Riley). The sum of the sides is an all-pass. Bands below a crossover go through its
/// all-pass, so that all bands add up. Sources: S. H. Linkwitz, "Active crossover networks for
/// noncoincident drivers", J. Audio Eng. Soc. 24 (1976); J. D'Appolito, "Active realization of
/// multiway all-pass crossover systems", J. Audio Eng. Soc. 35 (1987).
///
/// Allocated on the control thread, used on the render thread. The output does not depend on the
/// block sizes.
struct LinkwitzRileyNetwork: ~Copyable {
  let bandCount: Int
  private let channelCount: Int
  private let sampleRate: Double
  /// The order of the Butterworth filters: half the order of a crossover.
  private let half: Int
  /// For each band except the last: its low-pass, then the all-passes of the crossovers above it.
  private let lows: UnsafeMutablePointer<FilterCascade>
  /// For each crossover: the high-pass to the bands above it.
  private let rests: UnsafeMutablePointer<FilterCascade>

  /// - Parameter order: 2, 4, 6 or 8: 6 dB an octave each.
  package init(order: Int, bandCount: Int, channelCount: Int, sampleRate: Double) {
    self.bandCount = bandCount
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    half = max(1, min(order / 2, 4))
    lows = .allocate(capacity: max(bandCount, 1))
    rests = .allocate(capacity: max(bandCount, 1))
    for crossover in 0..<max(bandCount - 1, 0) {
      let above = bandCount - 2 - crossover
      (lows + crossover).initialize(
        to: FilterCascade(
          sectionCount: half + above * Self.allPassCount(half), channelCount: channelCount,
          sampleRate: sampleRate))
      (rests + crossover).initialize(
        to: FilterCascade(
          sectionCount: half, channelCount: channelCount, sampleRate: sampleRate))
    }
  }

  deinit {
    lows.deinitialize(count: max(bandCount - 1, 0))
    lows.deallocate()
    rests.deinitialize(count: max(bandCount - 1, 0))
    rests.deallocate()
  }

  /// The bytes that a network allocates.
  package static func byteCount(
    order: Int, bandCount: Int, channelCount: Int, sampleRate: Double
  ) -> Int {
    let half = max(1, min(order / 2, 4))
    var bytes = 2 * max(bandCount, 1) * MemoryLayout<FilterCascade>.stride
    for crossover in 0..<max(bandCount - 1, 0) {
      for count in [half + (bandCount - 2 - crossover) * allPassCount(half), half] {
        bytes += FilterCascade.byteCount(
          sectionCount: count, channelCount: channelCount, sampleRate: sampleRate)
      }
    }
    return bytes
  }

  /// The frames that a network with these crossovers rings.
  static func ringingFrames(
    order: Int, frequencies: [Double], sampleRate: Double
  ) -> Double {
    let half = max(1, min(order / 2, 4))
    return frequencies.reduce(0.0) { frames, frequency in
      (0..<half).reduce(frames) {
        $0 + low($1, half, frequency, sampleRate).ringingFrames
      }
    }
  }

  // MARK: - Realtime

  /// Sections of the all-pass that the two sides of a crossover add up to.
  @_noLocks
  private static func allPassCount(_ half: Int) -> Int { (half &+ 1) / 2 }

  /// The quality of a section of two equal Butterworth filters; two single poles make one section
  /// of quality 0.5.
  @_noLocks
  private static func quality(_ section: Int, _ half: Int) -> Double {
    section / 2 &* 2 &+ 1 == half
      ? 0.5 : Butterworth.q(section: section / 2, order: half)
  }

  @_noLocks
  private static func low(
    _ section: Int, _ half: Int, _ frequency: Double, _ sampleRate: Double
  ) -> FilterSection {
    FilterSection(
      .lowPass, frequency: frequency, quality: quality(section, half), sampleRate: sampleRate)
  }

  @_noLocks
  private static func high(
    _ section: Int, _ half: Int, _ frequency: Double, _ sampleRate: Double
  ) -> FilterSection {
    let high = FilterSection(
      .highPass, frequency: frequency, quality: quality(section, half), sampleRate: sampleRate)
    // For an odd order the two sides are half a cycle apart.
    return section == 0 && half & 1 == 1 ? FilterSection(inverting: high) : high
  }

  @_noLocks
  private static func allPass(
    _ section: Int, _ half: Int, _ frequency: Double, _ sampleRate: Double
  ) -> FilterSection {
    Butterworth.isFirstOrder(section: section, order: half)
      ? FilterSection(.gentleAllPass, frequency: frequency, sampleRate: sampleRate)
      : FilterSection(
        .allPass, frequency: frequency, quality: Butterworth.q(section: section, order: half),
        sampleRate: sampleRate)
  }

  /// Moves a crossover from a point of the control grid on. With `follows` (for a control signal)
  /// it moves at once.
  @_noLocks
  package mutating func set(_ crossover: Int, frequency: Double, follows: Bool = false) {
    for section in 0..<half {
      let low = Self.low(section, half, frequency, sampleRate)
      let high = Self.high(section, half, frequency, sampleRate)
      if follows {
        lows[crossover].follow(section, low)
        rests[crossover].follow(section, high)
      } else {
        lows[crossover].set(section, low)
        rests[crossover].set(section, high)
      }
    }
    let count = Self.allPassCount(half)
    for section in 0..<count {
      let allPass = Self.allPass(section, half, frequency, sampleRate)
      for band in 0..<crossover {
        let index = half &+ (crossover &- band &- 1) &* count &+ section
        if follows {
          lows[band].follow(index, allPass)
        } else {
          lows[band].set(index, allPass)
        }
      }
    }
  }

  /// Starts the glide of moving crossovers to the next point of the control grid.
  @_noLocks
  mutating func startPiece() {
    for crossover in 0..<(bandCount &- 1) {
      lows[crossover].startPiece()
      rests[crossover].startPiece()
    }
  }

  /// True while crossovers are moving.
  var isMoving: Bool {
    @_noLocks get {
      for crossover in 0..<(bandCount &- 1)
      where rests[crossover].isMoving || lows[crossover].isMoving {
        return true
      }
      return false
    }
  }

  /// True when silence in gives silence out, see `UnitEntry.isAtRest`.
  package var isAtRest: Bool {
    @_noLocks get {
      for crossover in 0..<(bandCount &- 1)
      where !rests[crossover].isAtRest || !lows[crossover].isAtRest {
        return false
      }
      return true
    }
  }

  /// Splits frames `start..<end` of a block whose outputs are the bands, channel by channel.
  @_noLocks
  package mutating func render(_ block: RenderBlock, from start: Int, to end: Int) {
    let last = block.outputs + (bandCount &- 1) &* channelCount
    let rest = UnsafeRawPointer(last).assumingMemoryBound(to: UnsafePointer<Float>.self)
    for crossover in 0..<(bandCount &- 1) {
      let source = crossover == 0 ? block.inputs : rest
      let band = block.outputs + crossover &* channelCount
      // The last band's memory holds the rest of the signal. The first band may share the input's
      // memory, so the rest is written before it.
      if crossover == 0 {
        rests[0].render(part(block, source, last), from: start, to: end)
        lows[0].render(part(block, source, band), from: start, to: end)
      } else {
        lows[crossover].render(part(block, source, band), from: start, to: end)
        rests[crossover].render(part(block, source, last), from: start, to: end)
      }
    }
  }

  @_noLocks
  private func part(
    _ block: RenderBlock, _ inputs: UnsafePointer<UnsafePointer<Float>>,
    _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>
  ) -> RenderBlock {
    RenderBlock(
      inputs: inputs, inputCount: channelCount, outputs: outputs, outputCount: channelCount,
      frameCount: block.frameCount, frame: block.frame, parameters: block.parameters)
  }

  @_noLocks
  package mutating func reset() {
    for crossover in 0..<(bandCount &- 1) {
      lows[crossover].reset()
      rests[crossover].reset()
    }
  }
}
