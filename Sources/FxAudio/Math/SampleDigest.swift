/// A hash of a sound: equal for sounds that are the same to the bit, and almost never equal
/// otherwise.
///
/// Made from the bit patterns, so 0 and -0 differ. Samples may be appended in pieces of any length.
package struct SampleDigest: BitwiseCopyable, Sendable, Equatable {
  // FNV's scheme on whole samples: exclusive or, multiply; the finish is SplitMix64's.
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  /// One hash of two digests, in this order.
  package static func joined(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var z = first &* 0x9e37_79b9_7f4a_7c15 ^ second
    z = (z ^ (z &>> 32)) &* 0xd6e8_feb8_6659_fd93
    return z ^ (z &>> 32)
  }

  // MARK: - Realtime

  @_noLocks
  package init() {}

  @_noLocks
  package mutating func append(_ samples: UnsafePointer<Float>, frameCount: Int) {
    var state = state
    for frame in 0..<frameCount {
      state = (state ^ UInt64(samples[frame].bitPattern)) &* 0x9e37_79b9_7f4a_7c15
      state ^= state &>> 32
    }
    self.state = state
  }

  /// The 64-bit hash of all samples so far.
  package var value: UInt64 {
    @_noLocks get {
      var z = state
      z = (z ^ (z &>> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z &>> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z &>> 31)
    }
  }
}
