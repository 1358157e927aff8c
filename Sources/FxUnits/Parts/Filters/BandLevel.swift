/// The level of one part of the spectrum, at each frame.
///
/// Render thread. One state variable filter for each channel, as in `FilterSection`; the level is
/// the largest magnitude of all channels. A sample that is not a number, or beyond 1e18, counts as
/// silence.
struct BandLevel: ~Copyable {
  private let isLow: Bool
  private let isHigh: Bool
  private let channelCount: Int
  /// Channel pairs × two states.
  private let states: UnsafeMutablePointer<SIMD2<Double>>

  /// - Parameter shape: `lowShelf` measures below the frequency, `highShelf` above it, every other
  ///   shape around it.
  package init(_ shape: FilterShape, channelCount: Int) {
    switch shape {
    case .lowShelf: (isLow, isHigh) = (true, false)
    case .highShelf: (isLow, isHigh) = (false, true)
    default: (isLow, isHigh) = (false, false)
    }
    self.channelCount = channelCount
    states = .allocate(capacity: max(1, Self.stateCount(channelCount)))
    states.initialize(repeating: .zero, count: Self.stateCount(channelCount))
  }

  package static func byteCount(channelCount: Int) -> Int {
    max(1, stateCount(channelCount)) * MemoryLayout<SIMD2<Double>>.stride
  }

  deinit { states.deallocate() }

  // MARK: - Realtime

  @_noLocks
  private static func stateCount(_ channelCount: Int) -> Int { (channelCount &+ 1) / 2 * 2 }

  /// Writes the largest magnitude of the channels in the band.
  @_noLocks
  package mutating func process(
    _ inputs: UnsafePointer<UnsafePointer<Float>>, at frame: Int,
    into levels: UnsafeMutablePointer<Float>, count: Int, tuning: LevelFilter.Tuning
  ) {
    if channelCount == 0 { levels.update(repeating: 0, count: count) }
    let (g, k) = (tuning.g, tuning.damping)
    let a1 = 1 / (1 + g * (g + k))
    let a2 = g * a1
    let a3 = g * a2
    // The output as a mix of input, band and low.
    let mix = isLow ? (0.0, 0.0, 1.0) : isHigh ? (1, -k, -1) : (0, k, 0)
    var left = 0
    while left < channelCount {
      // A channel without a partner is filtered twice, with the same level.
      let right = left &+ 1 < channelCount ? left &+ 1 : left
      let (lefts, rights) = (inputs[left] + frame, inputs[right] + frame)
      var (first, second) = (states[left], states[left &+ 1])
      for index in 0..<count {
        let sample = SIMD2(
          Double(lefts[index].finiteSample), Double(rights[index].finiteSample))
        let rest = sample - second
        let band = a1 * first + a2 * rest
        let low = second + a2 * first + a3 * rest
        first = 2 * band - first
        second = 2 * low - second
        let output = mix.0 * sample + mix.1 * band + mix.2 * low
        let (one, other) = (output.x.magnitude, output.y.magnitude)
        let level = Float(one > other ? one : other)
        levels[index] = left > 0 && levels[index] > level ? levels[index] : level
      }
      (states[left], states[left &+ 1]) = (first, second)
      left &+= 2
    }
  }

  @_noLocks
  package mutating func clear() {
    states.update(repeating: .zero, count: Self.stateCount(channelCount))
  }
}
