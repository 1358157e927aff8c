package import FxAudio

/// A random number for every integer. A seed gives the same numbers on every machine.
///
/// Callable on any thread.
public struct ValueNoise: BitwiseCopyable, Sendable {
  @usableFromInline let seed: UInt64

  /// The numbers of one node of a chain.
  package init(_ preparation: Preparation) {
    // FNV-1a.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in preparation.node.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    seed = hash ^ (preparation.seed &* 0xd6e8_feb8_6659_fd93)
  }

  // MARK: - Realtime

  /// From -1 to 1.
  @_noLocks @inlinable @inline(__always)
  public func value(_ index: Int) -> Double {
    // The finalizer of SplitMix64, applied to a counter.
    var z = seed &+ UInt64(bitPattern: Int64(index)) &* 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z &>> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z &>> 27)) &* 0x94d0_49bb_1331_11eb
    z ^= z &>> 31
    return Double(z &>> 11) * 0x1p-52 - 1
  }

  /// A smooth transition from the number of `index - 1` to the number of `index`. It starts at time
  /// 0 and lasts for `way`, as a share of one step.
  @_noLocks
  package func value(_ index: Int, at time: Double, way: Double) -> Double {
    let target = value(index)
    guard time < way else { return target }
    let start = value(index &- 1)
    return start + (target - start) * SmoothStep.share(time / way)
  }
}
