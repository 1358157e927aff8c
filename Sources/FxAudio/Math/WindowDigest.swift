/// Makes and joins the hashes of windows of frames, so that fingerprints of different resolutions
/// can be compared.
package enum WindowDigest {
  // MARK: - Realtime

  /// A 32-bit hash of a digest.
  @_noLocks
  package static func folded(_ digest: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: digest ^ (digest &>> 32))
  }

  /// One hash of two in a row.
  @_noLocks
  package static func joined(_ first: UInt32, _ second: UInt32) -> UInt32 {
    var z = (UInt64(first) &<< 32 | UInt64(second)) &+ 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z &>> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z &>> 27)) &* 0x94d0_49bb_1331_11eb
    return folded(z ^ (z &>> 31))
  }
}
