/// Random numbers in runs; the same seed gives the same numbers.
///
/// Eight of Marsaglia's generators in parallel ("Xorshift RNGs", 2003). SplitMix64 seeds them again
/// for each run, so a run depends only on its key.
enum NoiseStream {
  /// The finalizer of SplitMix64: similar numbers give very different ones.
  static func hash(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z &>> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z &>> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z &>> 31)
  }

  /// A hash of several numbers.
  static func hash(_ seed: UInt64, _ one: Int, _ other: Int) -> UInt64 {
    hash(hash(hash(seed) &+ UInt64(truncatingIfNeeded: one)) &+ UInt64(truncatingIfNeeded: other))
  }

  /// Evenly distributed from 0 to less than 1.
  static func unit(_ hash: UInt64) -> Double { Double(hash &>> 11) * 0x1p-53 }

  /// The initial state of eight generators.
  @inline(__always)
  static func begin(_ key: UInt64) -> SIMD8<UInt32> {
    var state = SIMD8<UInt32>()
    for pair in 0..<4 {
      let bits = hash(key &+ UInt64(truncatingIfNeeded: pair) &* 0x9e37_79b9_7f4a_7c15)
      state[2 * pair] = UInt32(truncatingIfNeeded: bits) | 1
      state[2 * pair + 1] = UInt32(truncatingIfNeeded: bits &>> 32) | 1
    }
    return state
  }

  /// The next eight numbers, evenly distributed from -1 to less than 1 in steps of 2^-22.
  @inline(__always)
  static func next(_ state: inout SIMD8<UInt32>) -> SIMD8<Float> {
    state ^= state &<< SIMD8(repeating: 13)
    state ^= state &>> SIMD8(repeating: 17)
    state ^= state &<< SIMD8(repeating: 5)
    // The high bits as the fraction of a number between 2 and 4.
    let bits = (state &>> SIMD8(repeating: 9)) | SIMD8(repeating: 0x4000_0000)
    return unsafeBitCast(bits, to: SIMD8<Float>.self) - 3
  }

  /// Fills a run; `count` is a multiple of eight.
  static func fill(
    _ samples: UnsafeMutablePointer<Float>, count: Int, key: UInt64, amplitude: Float
  ) {
    var state = begin(key)
    var frame = 0
    while frame + 8 <= count {
      UnsafeMutableRawPointer(samples + frame).storeBytes(
        of: next(&state) * amplitude, as: SIMD8<Float>.self)
      frame += 8
    }
  }
}
