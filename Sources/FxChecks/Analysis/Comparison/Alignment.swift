import FxAudio

/// The common frames of two sounds when one is shifted: frame `n` of the actual sound is compared
/// with frame `n - lag` of the expected sound.
final class Alignment {
  private let expected: Sound
  private let actual: Sound
  private let lag: Int
  /// The common frames, as frames of the actual sound.
  private let frames: Range<Int>
  private var actualEnergies: [Int: Double] = [:]
  private var expectedEnergies: [Int: Double] = [:]

  init(_ expected: Sound, _ actual: Sound, lag: Int) {
    self.expected = expected
    self.actual = actual
    self.lag = lag
    let first = max(lag, 0)
    frames = first..<max(min(actual.frameCount, expected.frameCount + lag), first)
  }

  /// The highest magnitude of the actual sound before the expected sound begins. It is 0 when the
  /// actual sound is only later.
  var headPeak: Float {
    guard lag > 0 else { return 0 }
    return actual.channels.reduce(0) { peak, channel in
      channel.prefix(lag).reduce(peak) { max($0, abs($1)) }
    }
  }

  /// True when the common frames have at least half of the energy of each sound.
  var holdsTheSound: Bool {
    guard !frames.isEmpty else { return false }
    for channels in [(actual.channels, frames), (expected.channels, expectedFrames)] {
      var inside = 0.0
      var all = 0.0
      for channel in channels.0 {
        inside += Self.product(channel, channels.1, channel, channels.1)
        all += Self.product(channel, channel.indices, channel, channel.indices)
      }
      if inside < 0.5 * all { return false }
    }
    return true
  }

  private var expectedFrames: Range<Int> { frames.lowerBound - lag..<frames.upperBound - lag }

  func energy(ofActual channel: Int) -> Double {
    if let known = actualEnergies[channel] { return known }
    let samples = actual.channels[channel]
    let energy = Self.product(samples, frames, samples, frames)
    actualEnergies[channel] = energy
    return energy
  }

  func energy(ofExpected channel: Int) -> Double {
    if let known = expectedEnergies[channel] { return known }
    let samples = expected.channels[channel]
    let energy = Self.product(samples, expectedFrames, samples, expectedFrames)
    expectedEnergies[channel] = energy
    return energy
  }

  func peak(ofActual channel: Int) -> Float {
    actual.channels[channel][frames].reduce(0) { max($0, abs($1)) }
  }

  /// The scalar product of an actual channel with an expected one.
  func product(_ channel: Int, _ source: Int) -> Double {
    Self.product(actual.channels[channel], frames, expected.channels[source], expectedFrames)
  }

  /// The scalar product of two runs of the same length.
  static func product(
    _ one: [Float], _ oneFrames: Range<Int>, _ other: [Float], _ otherFrames: Range<Int>
  ) -> Double {
    one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in
        guard let one = one.baseAddress, let other = other.baseAddress else { return 0 }
        let first = UnsafeRawPointer(one + oneFrames.lowerBound)
        let second = UnsafeRawPointer(other + otherFrames.lowerBound)
        let count = min(oneFrames.count, otherFrames.count)
        let whole = count / 4 * 4
        var sums = SIMD4<Double>()
        for frame in stride(from: 0, to: whole, by: 4) {
          let offset = frame * MemoryLayout<Float>.stride
          let left = first.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
          let right = second.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
          sums += SIMD4<Double>(left) * SIMD4<Double>(right)
        }
        var sum = sums.x + sums.y + sums.z + sums.w
        for frame in whole..<count {
          sum +=
            Double(one[oneFrames.lowerBound + frame])
            * Double(other[otherFrames.lowerBound + frame])
        }
        return sum
      }
    }
  }

  /// The difference of an actual channel from an expected one with a gain.
  func residual(_ channel: Int, _ source: Int, gain: Double) -> (peak: Float, energy: Double) {
    actual.channels[channel].withUnsafeBufferPointer { actual in
      expected.channels[source].withUnsafeBufferPointer { expected in
        var peak = 0.0
        var energy = 0.0
        for frame in frames {
          let difference = Double(actual[frame]) - gain * Double(expected[frame - lag])
          energy += difference * difference
          peak = max(peak, abs(difference))
        }
        return (Float(peak), energy)
      }
    }
  }

  /// The difference of all channels with their gains: the largest of any channel.
  func residual(_ order: [Int], gains: [Double]) -> (peak: Float, rms: Double) {
    var worst: (peak: Float, rms: Double) = (0, 0)
    for channel in order.indices {
      let residual = residual(channel, order[channel], gain: gains[channel])
      worst.peak = max(worst.peak, residual.peak)
      let rms = Math.squareRoot(residual.energy / Double(max(frames.count, 1)))
      worst.rms = max(worst.rms, rms)
    }
    return worst
  }
}
