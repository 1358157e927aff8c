internal import FxAudio

/// Named test signals: the sample at each absolute frame.
package enum Signal {
  package static func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  /// One sample of full scale at `frame`.
  package static func impulse(_ count: Int, at frame: Int = 0) -> [Float] {
    (0..<count).map { $0 == frame ? 1 : 0 }
  }

  package static func constant(_ value: Float, _ count: Int) -> [Float] {
    [Float](repeating: value, count: count)
  }

  /// A sine whose peaks are at a level.
  package static func tone(
    _ hertz: Double, decibels: Double = 0, sampleRate: Double = 48000, _ count: Int
  ) -> [Float] {
    let amplitude = Math.amplitude(decibels: decibels)
    return (0..<count).map {
      let turns = (Double($0) * hertz / sampleRate).truncatingRemainder(dividingBy: 1)
      return Float(amplitude * Math.sin(turns * 2 * Double.pi))
    }
  }

  /// White noise between plus and minus `amplitude`, the same for a seed everywhere.
  package static func noise(_ count: Int, seed: UInt64 = 1, amplitude: Float = 0.5) -> [Float] {
    var random = SeededRandom(seed)
    return (0..<count).map { _ in amplitude * Float(random.next(in: -1...1)) }
  }

  /// A sine that rises geometrically from one frequency to another.
  package static func sweep(
    from low: Double = 20, to high: Double = 20000, amplitude: Float = 0.5,
    sampleRate: Double = 48000, _ count: Int
  ) -> [Float] {
    var turns = 0.0
    return (0..<count).map {
      let hertz = low * Math.pow(high / low, Double($0) / Double(count))
      let sample = amplitude * Float(Math.sin(turns * 2 * Double.pi))
      turns = (turns + hertz / sampleRate).truncatingRemainder(dividingBy: 1)
      return sample
    }
  }
}

/// Random numbers that a seed repeats (SplitMix64).
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  package mutating func next(in range: ClosedRange<Double>) -> Double {
    let unit = Double(next() >> 11) * 0x1p-53
    return range.lowerBound + (range.upperBound - range.lowerBound) * unit
  }
}
