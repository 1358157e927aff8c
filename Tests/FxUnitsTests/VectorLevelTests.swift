import CKernels
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// Kernels give the same bits with every instruction set, for any count, and into their own input.
@Suite struct VectorLevelTests {
  private static let counts = [1, 7, 8, 13, 64, 129]
  private static var levels: ClosedRange<Int32> { 0...fx_vector_level() }

  /// The samples after a function whose input and output are the same memory.
  private func inPlace(_ samples: [Float], _ body: (UnsafeMutablePointer<Float>) -> Void) -> [Float]
  {
    var samples = samples
    samples.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress { body(base) }
    }
    return samples
  }

  private func bits(_ samples: [Float]) -> [UInt32] { samples.map(\.bitPattern) }

  @Test(arguments: counts)
  func `functions of many numbers give the bits of functions of one number`(count: Int) {
    let noise = Signal.noise(count, seed: 3)
    // Angles of several turns in both directions, powers beyond both ends, NaN and infinity.
    let angles = noise.map { 30 * Double($0) }
    let exponents = noise.enumerated().map { $0 % 5 == 4 ? 3000 * Double($1) : 9 * Double($1) }
    func bits(_ numbers: [Double]) -> [UInt64] { numbers.map(\.bitPattern) }
    func taken(
      _ numbers: [Double], _ level: Int32, _ take: (borrowing NumberBuffer, Int) -> Void
    ) -> [UInt64] {
      let buffer = NumberBuffer(count: count, vectorLevel: Int(level))
      for index in 0..<count { buffer.numbers[index] = numbers[index] }
      take(buffer, count)
      return (0..<count).map { buffer.numbers[$0].bitPattern }
    }
    for level in Self.levels {
      #expect(taken(angles, level) { $0.takeSines(count: $1) } == bits(angles.map(Math.sin)))
      #expect(taken(angles, level) { $0.takeCosines(count: $1) } == bits(angles.map(Math.cos)))
      let steep = angles.map { $0 / 20 }
      #expect(taken(steep, level) { $0.takeTangents(count: $1) } == bits(steep.map(Math.tan)))
      #expect(
        taken(exponents, level) { $0.takePowersOfTwo(count: $1) } == bits(exponents.map(Math.exp2)))
      let squares = angles.map { $0 * $0 }
      #expect(
        taken(squares, level) { $0.takeSquareRoots(count: $1) }
          == bits(squares.map(Math.squareRoot)))
    }
  }

  @Test func `a ring read at delays that move is interpolated frame by frame`() {
    let (capacity, count) = (64, 40)
    let (ring, rows) = (Signal.noise(capacity), Signal.noise(257 * 16, seed: 2))
    let delays = Signal.noise(count, seed: 3).enumerated().map { index, sample in
      fx_fractional_delay(frames: 8 + index % 30, fraction: index % 7 == 0 ? 0 : sample.magnitude)
    }
    let expected = delays.enumerated().map { frame, delay -> Float in
      let now = 50 + frame - delay.frames
      if delay.fraction == 0 { return ring[(now + capacity) % capacity] }
      let input = (0..<16).map { ring[(now - 8 + $0 + capacity) % capacity] }
      let place = delay.fraction * 256
      let taps = Array(rows[(16 * Int(place))...])
      return fx_sinc_between(taps, place - Float(Int(place)), input)
    }
    for level in Self.levels {
      var output = [Float](repeating: 0, count: count)
      fx_sinc_moving(level, rows, ring, capacity, 50, delays, &output, count)
      #expect(bits(output) == bits(expected))
    }
  }

  @Test(arguments: counts) func `products, sums and blends are those of one frame at a time`(
    count: Int
  ) {
    let input = Signal.noise(count)
    let other = Signal.noise(count, seed: 2)
    for level in Self.levels {
      let scaled = inPlace(input) { fx_scale(level, $0, 0.3, $0, count) }
      #expect(bits(scaled) == bits(input.map { $0 * 0.3 }))
      let product = inPlace(input) { fx_multiply(level, $0, other, $0, count) }
      #expect(bits(product) == bits(zip(input, other).map { $0 * $1 }))
      let sum = inPlace(input) { fx_add(level, other, $0, count) }
      #expect(bits(sum) == bits(zip(input, other).map { $0 + $1 }))
      let weighted = inPlace(input) { fx_add_scaled(level, other, 0.7, $0, count) }
      #expect(bits(weighted) == bits(zip(input, other).map { $0 + $1 * 0.7 }))
      let blend = inPlace(input) { fx_blend(level, $0, 0.25, other, 0.75, $0, count) }
      #expect(bits(blend) == bits(zip(input, other).map { $0 * 0.25 + $1 * 0.75 }))
    }
  }

  @Test(arguments: counts) func `gains and reductions are the same everywhere`(count: Int) {
    let peaks = Signal.noise(count).map { 2 * abs($0) }
    let ceilings = Signal.noise(count, seed: 2).map { 0.5 + 0.4 * abs($0) }
    var curve = fx_curve(threshold: -3, slope: 0.75, half_knee: 0.5, knee_factor: 0.375)
    var found: Set<[UInt32]> = []
    for level in Self.levels {
      var gains = peaks
      fx_needed_gains(level, ceilings, 0.99, &gains, count)
      for (index, gain) in gains.enumerated() {
        #expect(peaks[index] * gain <= ceilings[index])
        #expect(gain == 1 || peaks[index] > 0.99 * ceilings[index])
      }
      var limited = peaks + [.nan]
      fx_apply_limit(level, gains + [1], ceilings + [1], &limited, count + 1)
      for (sample, ceiling) in zip(limited, ceilings) { #expect(sample <= ceiling) }
      #expect(limited[count] == 0)
      var reductions = peaks
      fx_reduce(level, &curve, 0, &reductions, count)
      var powers = peaks
      fx_reduce(level, &curve, 1, &powers, count)
      var turned = reductions
      fx_gains_of_reductions(level, 1.5, &turned, count)
      let least = fx_least(level, gains, 1, count)
      #expect(least == min(1, gains.min() ?? 1))
      found.insert(bits(gains + limited + reductions + powers + turned))
    }
    #expect(found.count == 1)
  }

  @Test(arguments: [1, 8, 9, 40]) func `a value other than 1 is found at every place`(count: Int) {
    for level in Self.levels {
      var values = [Float](repeating: 1, count: count)
      #expect(fx_are_all_one(level, values, count) == 1)
      for index in 0..<count {
        values[index] = (1 as Float).nextDown
        #expect(fx_are_all_one(level, values, count) == 0)
        values[index] = 1
      }
    }
  }

  @Test func `minima, smoothing and the eight lines are the same everywhere`() {
    var found: Set<[UInt32]> = []
    for level in Self.levels {
      var values = Signal.noise(45)
      var current = Signal.silence(45)
      var minimum: Float = 0.5
      fx_scan_minimum(level, Signal.noise(45, seed: 3), &current, &minimum, &values, 45)
      var ends = Signal.silence(45)
      fx_least_to_end(level, current, &ends, 45)
      var random = SeededRandom(7)
      let targets = (0..<21).map { _ in random.next(in: 0...1) }
      var first = [Double](repeating: 0, count: 21)
      var second = first
      var sums = [0.0, 0.0]
      var smooth = Signal.silence(21)
      fx_smooth_twice(level, targets, &first, &second, &sums, 1e-9, &smooth, 21)
      found.insert(bits(values + current + ends + smooth + [minimum]))
    }
    #expect(found.count == 1)
  }
}
