/// Scalar products of the channels of two sounds for each block. They give the difference that
/// remains after any gain, offset or mix of channels, without another pass over the samples.
struct BlockSums {
  static let blockFrameCount = 256

  /// Sums over one block or many.
  struct Sums {
    var count = 0.0
    /// One value for each channel; the same for the arrays below.
    var expected: [Double]
    var actual: [Double]
    var difference: [Double]
    var expectedSquares: [Double]
    var products: [Double]
    var actualSquares: [Double]
    /// Products of the two channels of a stereo sound: expected 0 · expected 1, expected 1 · actual
    /// 0, expected 0 · actual 1, actual 0 · actual 1.
    var crossed = SIMD4<Double>()

    init(channelCount: Int) {
      let none = [Double](repeating: 0, count: channelCount)
      (expected, actual, difference) = (none, none, none)
      (expectedSquares, products, actualSquares) = (none, none, none)
    }
  }

  let total: Sums
  /// For each block, summed over all channels: expected², expected · actual, actual².
  let blocks: [SIMD3<Double>]
  /// Channels × blocks: the same sums.
  let channelBlocks: [[SIMD3<Double>]]

  init(_ pair: AlignedPair) {
    var total = Sums(channelCount: pair.channelCount)
    total.count = Double(pair.count)
    let size = Self.blockFrameCount
    let blockCount = (pair.count + size - 1) / size
    var blocks = [SIMD3<Double>](repeating: .zero, count: blockCount)
    var channelBlocks: [[SIMD3<Double>]] = []
    for channel in 0..<pair.channelCount {
      let (then, now) = (pair.expected[channel], pair.actual[channel])
      var own = [SIMD3<Double>](repeating: .zero, count: blockCount)
      for block in 0..<blockCount {
        let frames = block * size..<min((block + 1) * size, pair.count)
        let sums = SIMD3(
          Alignment.product(then, frames, then, frames),
          Alignment.product(then, frames, now, frames), Alignment.product(now, frames, now, frames))
        own[block] = sums
        blocks[block] += sums
        total.expectedSquares[channel] += sums.x
        total.products[channel] += sums.y
        total.actualSquares[channel] += sums.z
      }
      channelBlocks.append(own)
      total.expected[channel] = Self.sum(then)
      total.actual[channel] = Self.sum(now)
      total.difference[channel] = Self.sum(now, minus: then)
    }
    if pair.channelCount == 2 {
      let all = 0..<pair.count
      let (then, now) = (pair.expected, pair.actual)
      total.crossed = SIMD4(
        Alignment.product(then[0], all, then[1], all), Alignment.product(then[1], all, now[0], all),
        Alignment.product(then[0], all, now[1], all), Alignment.product(now[0], all, now[1], all))
    }
    self.total = total
    self.blocks = blocks
    self.channelBlocks = channelBlocks
  }

  private static func sum(_ samples: [Float]) -> Double {
    samples.withUnsafeBufferPointer { samples in
      var sum = 0.0
      for sample in samples { sum += Double(sample) }
      return sum
    }
  }

  private static func sum(_ samples: [Float], minus other: [Float]) -> Double {
    samples.withUnsafeBufferPointer { samples in
      other.withUnsafeBufferPointer { other in
        var sum = 0.0
        for frame in samples.indices { sum += Double(samples[frame]) - Double(other[frame]) }
        return sum
      }
    }
  }
}
