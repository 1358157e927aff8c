package import FxUnits

/// The signals for inputs that a case does not define. A golden records which ones it was made
/// with.
package enum DefaultSignals: Int, Sendable, CaseIterable {
  /// The same signal for every input, with peaks of -12 dB: goldens of fxrun 0.1.
  case shared = 1
  /// A different signal for every input, with peaks near full scale.
  case own = 2

  /// The signals of new goldens.
  package static let current = own

  /// The signal of an input.
  package func signal(forInput name: String) -> TestSignal {
    var signal = TestSignal(.programme)
    guard self == .own else { return signal }
    signal.level = -0.1
    guard name != "main" else { return signal }
    let hash = Self.hash(name)
    signal.seed = hash & 0xffff_ffff
    // Loud where the main input is quiet, and quiet where it is loud.
    signal.slotOffset = 1 + Int(hash >> 32) % 7
    return signal
  }

  /// FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), followed by a mixing step.
  private static func hash(_ name: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    return (hash ^ (hash >> 33)) >> 1
  }
}
