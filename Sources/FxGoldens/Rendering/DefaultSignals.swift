package import FxSignals

/// What inputs hear of which a case says nothing. A golden keeps the ones that it was made with.
package enum DefaultSignals: Int, Sendable, CaseIterable {
  /// The same for every input, with peaks of -12 dB: goldens of fxrun 0.1.
  case shared = 1
  /// Another one for every input, with peaks near full scale.
  case own = 2

  /// Of new goldens.
  package static let current = own

  /// What an input hears.
  package func signal(forInput name: String) -> TestSignal {
    var signal = TestSignal(.programme)
    guard self == .own else { return signal }
    signal.level = -0.1
    guard name != "main" else { return signal }
    let hash = Self.hash(name)
    signal.seed = hash & 0xffff_ffff
    // Loud where the main input is quiet, and the other way round.
    signal.slotOffset = 1 + Int(hash >> 32) % 7
    return signal
  }

  /// FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), and a finish that mixes it well.
  private static func hash(_ name: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    return (hash ^ (hash >> 33)) >> 1
  }
}
